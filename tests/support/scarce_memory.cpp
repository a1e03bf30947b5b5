#include "tests/support/scarce_memory.h"

#include <cstdlib>
#include <new>

#include "tests/support/faults.h"

namespace chirp::test {
namespace {

thread_local bool is_scarce = false;

}  // namespace

bool can_make_memory_scarce() { return can_inject_faults(); }

void make_memory_scarce(bool scarce) { is_scarce = scarce; }

bool memory_is_scarce() { return is_scarce; }

}  // namespace chirp::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// The forms for arrays and for what must not throw end up here.
void* operator new(std::size_t size) {
  void* const memory = chirp::test::memory_is_scarce() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

#endif
