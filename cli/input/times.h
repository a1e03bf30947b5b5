// Times as texts have them, and what somebody says of them.
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
  // `format` as strptime has it, with `%f` for fractions of a second; names are English. `zones`:
  // `+02:00` for times that name none, `CEST=+02:00` for one with that name; several are parted by
  // commas. Throws Error{kInvalidArgument}.
  Times(const std::optional<std::string>& format, const std::optional<std::string>& zones);

  // Without a format: ISO 8601 (a zone behind it, after a blank or not), `Tue May 03 20:21:57 +0000
  // 2016`, or Unix time. Zones are offsets, UTC, and the ten names of RFC 5322.
  [[nodiscard]] std::optional<Time> read(std::string_view text) const;
  // Why it is no time, as a clause.
  [[nodiscard]] std::string problem(std::string_view text) const;

 private:
  // Minutes east of UTC.
  [[nodiscard]] std::optional<int> zone(std::string_view name) const;
  [[nodiscard]] std::optional<Time> by_format(const char* text) const;

  std::string format_;
  int own_zone_ = 0;  // of times that name none
  std::vector<std::pair<std::string, int>> zones_;
};

}  // namespace chirp::cli::input
