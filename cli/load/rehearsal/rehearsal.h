// The engine of a dry run. The loaders run unchanged over a data directory that is only read, or
// over none.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load/rehearsal/newcomers.h"
#include "cli/load/rehearsal/storage.h"
#include "core/engine.h"
#include "core/load/words.h"
#include "core/ports/media_store.h"

namespace chirp::cli::rehearsal {

// The users and uploads of a dry run: changes stay in memory (newcomers.h has the users), over the
// existing directory. Functions that no load calls are not implemented.
//
// Uploads are counted against the limits of their owners, and not stored.
class RehearsedMedia final : public MediaStore {
 public:
  // `below` is null if there is no data directory.
  explicit RehearsedMedia(MediaStore* below) : below_(below) {}

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override;
  bool touch_all(std::optional<UserNumber> /*owner*/, std::span<const MediaId> /*uploads*/,
                 Time /*now*/) override {
    return true;
  }
  // ---- not called by loads
  [[nodiscard]] std::optional<Upload> find(MediaId /*id*/) const override { return std::nullopt; }
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& /*upload*/) const override {
    return nullptr;
  }
  [[nodiscard]] std::vector<Upload> scan(MediaId /*after*/,
                                         std::uint32_t /*limit*/) const override {
    return {};
  }
  void restore(const Upload& /*upload*/, std::string_view /*bytes*/) override {}
  [[nodiscard]] std::vector<MediaId> idle(Time /*before*/, std::uint32_t /*limit*/) const override {
    return {};
  }
  std::uint64_t remove_idle(std::span<const MediaId> /*uploads*/, Time /*before*/) override {
    return 0;
  }
  void remove_of(UserNumber /*owner*/) override {}
  bool begin_sweep(Time /*now*/, Time /*since*/) override { return false; }
  [[nodiscard]] std::vector<MediaProblem> problems() const override { return {}; }
  void repair() override {}

 private:
  // Uploads by hash.
  using Owned = std::map<std::string, Upload>;
  Owned& owned_by(UserNumber owner);

  MediaStore* below_;
  std::map<UserNumber, Owned> owned_;
  std::uint64_t last_id_ = ~std::uint64_t{0} >> 1;  // far from real ids, which are random
};

class RehearsedDirectory final : public UserDirectory {
 public:
  // `below` may be null.
  RehearsedDirectory(UserDirectory* below, Newcomers& users)
      : below_(below), users_(users), media_(below == nullptr ? nullptr : &below->media()) {}

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) const override {
    return users_.look_up(who);
  }
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override;
  User edit(UserNumber number, const UserEdit& edit) override;
  [[nodiscard]] MediaStore& media() override { return media_; }
  [[nodiscard]] std::vector<User> walk(UserNumber bound, Direction direction,
                                       std::uint32_t limit) const override {
    return below_ == nullptr ? std::vector<User>() : below_->walk(bound, direction, limit);
  }
  [[nodiscard]] std::vector<PendingCard> due_cards(std::uint32_t limit) const override {
    return below_ == nullptr ? std::vector<PendingCard>() : below_->due_cards(limit);
  }
  [[nodiscard]] bool is_card_due(UserNumber /*user*/) const override { return false; }
  void settle_cards(std::span<const PendingCard> /*settled*/) override {}
  void set_leaving(UserNumber /*number*/, bool /*leaving*/) override {}
  [[nodiscard]] std::vector<UserNumber> removals() const override { return {}; }

  // ---- not called by loads
  User add(const NewUser& /*user*/, Time /*now*/) override { return {}; }
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber /*number*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] UserMatches list(const UserQuery& /*query*/) const override { return {}; }
  [[nodiscard]] std::uint64_t count() const override { return 0; }
  [[nodiscard]] std::uint64_t count_suspended() const override { return 0; }
  bool replace_hash(UserNumber /*number*/, std::string_view /*before*/,
                    std::string_view /*after*/) override {
    return false;
  }
  bool remove(UserNumber /*number*/) override { return false; }
  std::vector<User> restore(std::span<const User> /*users*/) override { return {}; }
  std::string add_token(UserNumber /*user*/, Time /*now*/,
                        std::optional<Time> /*expires_at*/) override {
    return {};
  }
  [[nodiscard]] std::optional<TokenRecord> held_token(std::string_view /*token*/,
                                                      Time /*now*/) const override {
    return std::nullopt;
  }
  std::uint64_t revoke(const RevokedTokens& /*which*/) override { return 0; }
  [[nodiscard]] std::vector<Session> sessions(UserNumber /*user*/, std::string_view /*token*/,
                                              Time /*now*/, const std::optional<Session>& /*after*/,
                                              std::uint32_t /*limit*/) const override {
    return {};
  }
  [[nodiscard]] std::vector<std::string> problems() const override { return {}; }
  void rebuild_indexes() override {}

 private:
  UserDirectory* below_;
  Newcomers& users_;
  RehearsedMedia media_;
};

class LoadRehearsal {
 public:
  // Limit in bytes on the rows that a dry run keeps, besides users.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;

  // `below` is null if there is no data directory yet.
  LoadRehearsal(Engine* below, const Clock& clock, std::size_t most_bytes = kMostBytes);
  LoadRehearsal(const LoadRehearsal&) = delete;
  LoadRehearsal& operator=(const LoadRehearsal&) = delete;

  [[nodiscard]] Engine& engine() { return engine_; }
  // Returns the user of this name. Makes one up if there is no data directory.
  [[nodiscard]] User user(const std::string& name);
  // Whether the limit was reached. From then on duplicates may count as new.
  [[nodiscard]] bool is_full() const { return storage_.is_full(); }

 private:
  bool is_bare_;  // there is no data directory
  load::Words words_;
  Newcomers users_;
  RehearsedDirectory directory_;
  RehearsedStorage storage_;
  std::unique_ptr<PasswordHasher> hasher_;
  Engine engine_;
};

}  // namespace chirp::cli::rehearsal
