// How the twins run a call on both stores and compare the answers. Only for the sources of `Twins`.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "tests/support/storage_twins.h"

namespace chirp::test {

// Compares the guaranteed parts of outcomes, which depend on the kind of change.
inline bool same(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Outcome& x, const Outcome& y) {
    return x.result == y.result && x.post == y.post && x.author == y.author &&
           x.comment == y.comment && x.before == y.before &&
           (x.post.value != 0 || x.time == y.time);
  });
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

template <class Call>
auto Twins::both(Call call) {
  using Answer = decltype(call(model_->storage()));
  if constexpr (std::is_void_v<Answer>) {
    call(model_->storage());
    call(other_->storage());
  } else {
    Answer a = call(model_->storage());
    const Answer b = call(other_->storage());
    if (!same(a, b)) found_.push_back("another answer");
    return a;
  }
}

}  // namespace chirp::test
