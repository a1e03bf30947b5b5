// The memory that a server's threads need, and which limit leaves too little of it.
#pragma once

#include "core/error.h"

namespace chirp::cli {

// Gives every later thread of this process a stack of fixed size. Where address space is limited,
// threads also share the allocator's arenas. Call it before any thread starts.
void keep_threads_small();

// Throws no_thread() if address space is limited and the rest cannot hold a server's threads with
// the memory they allocate. Call it after the data are opened and before threads start.
void check_room_for_threads();

// Returns an error that names the limit that kept a thread from starting, and a value that is
// enough.
[[nodiscard]] Error no_thread();

}  // namespace chirp::cli
