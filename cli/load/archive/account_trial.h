// A load of an archive that stores nothing.
#pragma once

#include <optional>
#include <string>

#include "cli/load/preview.h"
#include "cli/load/tie_trial.h"
#include "cli/load/trial.h"

namespace chirp::cli::archive {

class AccountTrial {
 public:
  explicit AccountTrial(const Existing& existing)
      : existing_(existing), posts_(existing, load::Author::kGiven), ties_(existing, posts_) {}
  AccountTrial(const AccountTrial&) = delete;
  AccountTrial& operator=(const AccountTrial&) = delete;

  [[nodiscard]] const Existing& existing() const { return existing_; }
  [[nodiscard]] TieTrial& ties() { return ties_; }

  // What is wrong with the post, if something is; the first ones are shown. Why what it repeats
  // can't be taken, if so, is left in `inner`.
  [[nodiscard]] std::optional<std::string> add(Preview& preview, load::SourcePost&& post, Time now,
                                               std::string& inner);
  // `account` is whose archive it is, if they are there already; else `own` is the id that they
  // would get, if they would get one.
  void finish(std::optional<UserNumber> account, std::optional<SourceId> own);
  [[nodiscard]] load::Counts counts() const;
  [[nodiscard]] bool full() const { return posts_.full() || ties_.full(); }

 private:
  Existing existing_;
  PostTrial posts_;
  TieTrial ties_;
  std::uint64_t users_added_ = 0;
};

}  // namespace chirp::cli::archive
