// What is played: posts and reads of a day, in the order of their times, the same under all
// policies.
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
  std::optional<Time> day;  // the last one with posts unless given
  std::optional<std::uint64_t> posts_per_day;
  double reads_per_user = 8;  // a day, in the mean
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
  std::uint64_t without_author = 0;             // posts that nobody can write: left out
  std::uint64_t with_files = 0;                 // posts whose files are left out
  std::vector<PlannedRead> reads;               // ascending
  double reads_of_day = 0;                      // of all users on the whole day
  std::uint64_t users = 0;                      // who are there
  std::uint64_t readers = 0;                    // of them, whose reads are played
  std::vector<UserNumber> checked;              // whose pages are compared at the end
  std::optional<UserNumber> watched;            // whose timeline is looked at: who reads most
  Degrees degrees;
};

// Throws Error{kNotFound} where there is nobody, or nothing to post; {kInvalidArgument} if a day
// has reads and none of them would be played; what day_to_play() throws.
[[nodiscard]] Script write_script(store::DataDirectory& directory, const Clock& clock,
                                  const ScriptOptions& options);

}  // namespace chirp::cli::lab
