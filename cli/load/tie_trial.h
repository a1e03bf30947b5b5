// The follows, blocks, mutes and likes of one account, counted beside what is there, without
// storing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/load/trial.h"
#include "core/load/source.h"

namespace chirp::cli {

class TieTrial {
 public:
  // Shares users and posts with the posts' trial, which is finished first.
  TieTrial(const Existing& existing, PostTrial& posts) : existing_(existing), posts_(posts) {}

  void add(load::Tie tie, SourceId other);
  void like(SourceId post);
  // `account` is whose ties they are, if they are there already; `own` their place among the users
  // of the input, if they are to be made with an id.
  void finish(std::optional<UserNumber> account, std::optional<load::Slot> own);
  [[nodiscard]] const load::Counts& counts() const { return counts_; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  struct Found;

  [[nodiscard]] bool is_severed(load::Slot other, const Bond& bond) const;
  void count_tie(load::Tie tie, std::uint64_t times, const Found& found);
  void count_ties(std::optional<UserNumber> account, std::optional<load::Slot> own);
  void count_likes(std::optional<UserNumber> account);
  [[nodiscard]] std::vector<bool> likes_there(std::optional<UserNumber> account) const;

  Existing existing_;
  PostTrial& posts_;
  std::map<std::pair<load::Tie, load::Slot>, std::uint64_t> ties_;  // and how often each comes
  std::vector<std::pair<load::Slot, SourceId>> likes_;
  load::Counts counts_;
  bool full_ = false;
};

}  // namespace chirp::cli
