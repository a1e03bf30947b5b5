#include "store/shared_library.h"

#include <dlfcn.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::store {

SharedLibrary::SharedLibrary(const char* file, std::string needed_for)
    : needed_for_(std::move(needed_for)), handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) fail();
}

SharedLibrary::Address SharedLibrary::function(const char* name) const {
  void* const address = ::dlsym(handle_, name);
  if (address == nullptr) fail();
  return Address(address);
}

void SharedLibrary::fail() const {
  const char* const what = ::dlerror();
  throw Error(ErrorCode::kUnavailable,
              fmt::format("{} needs a library that can't be loaded: {}. Install it, as "
                          "docs/decisions/0002-dependencies.md says.",
                          needed_for_, what == nullptr ? "it is damaged" : what));
}

}  // namespace chirp::store
