// Simulates exhausted memory for one thread.
#pragma once

namespace chirp::test {

// False under a sanitizer, which has its own allocator.
[[nodiscard]] bool can_make_memory_scarce();

// Makes every `new` of the calling thread throw std::bad_alloc, until it is called with false.
void make_memory_scarce(bool scarce);
[[nodiscard]] bool memory_is_scarce();

}  // namespace chirp::test
