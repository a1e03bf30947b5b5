// Reads what a change has just stored.
#pragma once

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::social {

// Returns what `read` returns. If the store can't be read, the change is still done: throws
// Error{kUnavailable} with field "outcome" that says so, because a retry would do it twice.
template <class Read>
auto read_back(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const bool is_store = error.code() == ErrorCode::kUnavailable ||
                          error.code() == ErrorCode::kNotLetIn || error.code() == ErrorCode::kIo;
    if (!is_store) throw;
    throw Error(
        ErrorCode::kUnavailable,
        fmt::format("{} The change was made; only its result can't be shown.", error.what()),
        "outcome");
  }
}

}  // namespace chirp::social
