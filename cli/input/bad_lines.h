// Handles lines that can't be used: reports them, and stops when there are too many.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// A position in an input.
struct InputPlace {
  std::string_view name;   // of the file, and in an archive of the member
  std::uint64_t line = 0;  // from 1
};

class BadLines {
 public:
  using Report = std::function<void(const std::string&)>;

  // Reports and skips up to `most` bad lines. Remarks that are not faults go to `note`, if given.
  BadLines(std::uint64_t most, Report report, Report note = {});

  // Throws Error{kBadInput} with position and text if there are more than `most`.
  void add(const InputPlace& place, std::string_view what);
  // Reports a remark about a position that is not a fault.
  void note(const InputPlace& place, std::string_view what) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t most_;
  Report report_;
  Report note_;
  std::uint64_t count_ = 0;
};

}  // namespace chirp::cli::input
