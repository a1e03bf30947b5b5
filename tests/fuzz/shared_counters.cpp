// Lets libFuzzer see what child processes do: the counters of coverage lie in memory that parent
// and children share.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

// Where the linker puts the counters of code that is built for fuzzing.
extern "C" __attribute__((visibility("hidden"))) char __start___sancov_cntrs;
extern "C" __attribute__((visibility("hidden"))) char __stop___sancov_cntrs;

// Called once before the first input. Counters on pages with other data stay unshared.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(&__start___sancov_cntrs) + page - 1) / page;
  const auto end = reinterpret_cast<std::uintptr_t>(&__stop___sancov_cntrs) / page;
  if (begin >= end) return 0;
  auto* const at = reinterpret_cast<void*>(begin * page);
  const std::size_t size = (end - begin) * page;
  const std::string counted(static_cast<const char*>(at), size);
  void* const shared =
      ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (shared == MAP_FAILED) return 0;  // then children are not seen
  std::memcpy(at, counted.data(), size);
  return 0;
}
