// The follows, blocks, mutes and likes of an archive, counted beside what is there, without
// storing.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cli/load/trial.h"
#include "core/load/source.h"

namespace chirp::cli::archive {

class TieTrial {
 public:
  // Shares users and posts with the posts' trial, which is finished first.
  TieTrial(const Existing& existing, PostTrial& posts) : existing_(existing), posts_(posts) {}

  void add(load::Tie tie, SourceId other);
  void like(SourceId post);
  // `account` is whose archive it is, if they are there already.
  void finish(std::optional<UserNumber> account);
  [[nodiscard]] const load::Counts& counts() const { return counts_; }

 private:
  void count_tie(std::optional<UserNumber> account, load::Tie tie, UserNumber other);
  [[nodiscard]] std::vector<bool> likes_there(std::optional<UserNumber> account) const;

  Existing existing_;
  PostTrial& posts_;
  std::set<std::pair<load::Tie, load::Slot>> ties_;
  std::vector<std::pair<load::Slot, SourceId>> likes_;
  load::Counts counts_;
};

}  // namespace chirp::cli::archive
