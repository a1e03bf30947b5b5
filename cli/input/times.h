// Parses times in input texts, with the user's format and zones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/time.h"

namespace chirp::cli::input {

class Times {
 public:
  Times() = default;
  // `format` is as for strptime, and also has `%f` for fractions of a second. Names of months and
  // days are English. `zones` is a list separated by commas: `+02:00` sets the zone of times
  // without one, and `CEST=+02:00` defines a named zone. Throws Error{kInvalidArgument}.
  Times(const std::optional<std::string>& format, const std::optional<std::string>& zones);

  // Without a format, reads ISO 8601 (also with a zone after it, with or without a blank), Unix
  // time and `Tue May 03 20:21:57 +0000 2016`. Zones are offsets, UTC, and the ten names of RFC
  // 5322.
  [[nodiscard]] std::optional<Time> read(std::string_view text) const;
  // Returns why the text is not a time, as a clause.
  [[nodiscard]] std::string problem(std::string_view text) const;

 private:
  // Returns the zone in minutes east of UTC; empty if unknown.
  [[nodiscard]] std::optional<int> zone(std::string_view name) const;
  [[nodiscard]] std::optional<Time> by_format(const char* text) const;

  std::string format_;
  int own_zone_ = 0;  // for times without a zone, in minutes east of UTC
  std::vector<std::pair<std::string, int>> zones_;
};

}  // namespace chirp::cli::input
