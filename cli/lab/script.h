// The script of a day: posts and reads in the order of time, the same for all policies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/directory/degrees.h"
#include "core/lab/day.h"
#include "core/lab/read_model.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "store/data_directory.h"

namespace chirp::cli::lab {

struct ScriptOptions {
  std::optional<Time> day;  // default: the last day with posts
  std::optional<std::uint64_t> posts_per_day;
  double reads_per_user = 8;  // mean, per day
  std::uint64_t posts_max = 0;
  std::uint64_t reads_max = 0;
  std::uint64_t seed = 1;
};

struct PlannedRead {
  Time at;
  UserNumber reader;
};

struct PlannedAuthor {
  User user;
  std::uint64_t followers = 0;
};

struct Script {
  Script(chirp::lab::PlayedDay played, const chirp::lab::ReadModel& reads_by)
      : day(std::move(played)), model(reads_by) {}

  chirp::lab::PlayedDay day;
  chirp::lab::ReadModel model;
  std::map<UserNumber, PlannedAuthor> authors;  // of the posts
  std::uint64_t without_author = 0;             // left out, because the author can't post
  std::uint64_t with_files = 0;                 // posts whose files are left out
  std::vector<PlannedRead> reads;               // ascending
  double reads_of_day = 0;                      // by all users on the whole day
  std::uint64_t users = 0;                      // existing users
  std::uint64_t readers = 0;                    // users whose reads are played
  std::vector<UserNumber> checked;              // users whose pages are compared at the end
  // the most frequent reader, whose timeline is sampled
  std::optional<UserNumber> watched;
  Degrees degrees;
};

// Throws Error{kNotFound} if there are no users or no posts; {kInvalidArgument} if the day has
// reads but none of them would be played; and the errors of day_to_play().
[[nodiscard]] Script write_script(store::DataDirectory& directory, const Clock& clock,
                                  const ScriptOptions& options);

}  // namespace chirp::cli::lab
