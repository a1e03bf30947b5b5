// The room that a server's threads take, and what is in the way where there is too little.
#pragma once

#include "core/error.h"

namespace chirp::cli {

// Gives each thread of this process from now on a stack of fixed size, and lets threads share the
// allocator's arenas where address space is limited. Before any thread is started.
void keep_threads_small();

// Throws what no_thread() says where address space is limited and the rest of it would not hold a
// server's threads with what they allocate. When the data are open, and before threads start.
void check_room_for_threads();

// Says which limit kept a thread from starting, and which value would do.
[[nodiscard]] Error no_thread();

}  // namespace chirp::cli
