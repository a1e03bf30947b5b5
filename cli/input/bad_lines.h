// What to do about lines that can't be used: report so many and go on, then stop.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace chirp::cli::input {

// Where in an input something stands.
struct Place {
  std::string_view name;   // of the file, and in an archive of the member
  std::uint64_t line = 0;  // from 1
};

class BadLines {
 public:
  using Report = std::function<void(const std::string&)>;

  // Up to `most` bad lines are reported and passed over.
  // What is no fault goes to `note`, if that is given.
  BadLines(std::uint64_t most, Report report, Report note = {});

  // Throws Error{kBadInput} with place and words when there are more than `most`.
  void add(const Place& place, std::string_view what);
  // Says something of a place that is no fault.
  void note(const Place& place, std::string_view what) const;
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t most_;
  Report report_;
  Report note_;
  std::uint64_t count_ = 0;
};

}  // namespace chirp::cli::input
