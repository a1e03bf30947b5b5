// Where libFuzzer comes in: one program a target, which the build names.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  chirp::fuzz::CHIRP_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
