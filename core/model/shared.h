// A shared immutable record, such as a post that is both on a page and in the cache.
#pragma once

#include <memory>
#include <utility>

namespace chirp {

template <class T>
using Shared = std::shared_ptr<const T>;

template <class T>
[[nodiscard]] Shared<T> shared(T value) {
  return std::make_shared<const T>(std::move(value));
}

}  // namespace chirp
