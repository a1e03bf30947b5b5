// A library that few commands need, opened by the first that does: what is linked to the program is
// loaded by every command at its start, which costs more than most commands do.
#pragma once

#include <string>
#include <type_traits>

namespace chirp::store {

class SharedLibrary {
 public:
  // Of a function, as whatever pointer it is put in.
  class Address {
   public:
    explicit Address(void* address) : address_(address) {}
    template <class Function>
    // NOLINTNEXTLINE(google-explicit-constructor): the pointer that it is put in says the type.
    operator Function*() const {
      static_assert(std::is_function_v<Function>);
      return reinterpret_cast<Function*>(address_);
    }

   private:
    void* address_;
  };

  // `file`: as the system looks for it, or a path. `needed_for`: "Unpacking zst …", the start of
  // what is said without it. Throws Error{kUnavailable}. It stays until the process ends.
  SharedLibrary(const char* file, std::string needed_for);

  // Throws Error{kUnavailable} for a library that has no such function.
  [[nodiscard]] Address function(const char* name) const;

 private:
  [[noreturn]] void fail() const;

  std::string needed_for_;
  void* handle_;
};

}  // namespace chirp::store
