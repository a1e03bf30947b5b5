// A library that few commands need, loaded on first use: every command would load a linked one at
// its start, which takes longer than most commands do.
#pragma once

#include <string>
#include <type_traits>

namespace chirp::store {

class SharedLibrary {
 public:
  // The address of a function; converts to any function pointer.
  class Address {
   public:
    explicit Address(void* address) : address_(address) {}
    template <class Function>
    // NOLINTNEXTLINE(google-explicit-constructor): the pointer's type decides the conversion
    operator Function*() const {
      static_assert(std::is_function_v<Function>);
      return reinterpret_cast<Function*>(address_);
    }

   private:
    void* address_;
  };

  // `file`: a path, or a name to look up. `needed_for`: the start of the error's message:
  // "Unpacking zst …". Throws Error{kUnavailable}. The library stays loaded until the process ends.
  SharedLibrary(const char* file, std::string needed_for);

  // Throws Error{kUnavailable} if the library has no such function.
  [[nodiscard]] Address function(const char* name) const;

 private:
  [[noreturn]] void fail() const;

  std::string needed_for_;
  void* handle_;
};

}  // namespace chirp::store
