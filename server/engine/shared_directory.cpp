#include "server/engine/shared_directory.h"

#include <mutex>
#include <utility>
#include <vector>

#include "server/limits.h"

namespace chirp {
namespace {

// Connections that nobody uses now. The one used last is lent first: what it knows is fresh.
class Pool {
 public:
  explicit Pool(std::function<std::unique_ptr<UserDirectory>()> open) : open_(std::move(open)) {
    idle_.push_back(open_());
  }

  class Loan {
   public:
    explicit Loan(Pool& pool) : pool_(pool), lent_(pool.take()) {}
    ~Loan() { pool_.give_back(std::move(lent_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    [[nodiscard]] UserDirectory* operator->() const { return lent_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<UserDirectory> lent_;
  };

 private:
  std::unique_ptr<UserDirectory> take() {
    {
      const std::lock_guard guard(mutex_);
      if (!idle_.empty()) {
        auto last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    return open_();
  }

  // What is too much is closed outside the lock.
  void give_back(std::unique_ptr<UserDirectory> lent) {
    const std::lock_guard guard(mutex_);
    if (idle_.size() < limits::kIdleConnections) idle_.push_back(std::move(lent));
  }

  std::function<std::unique_ptr<UserDirectory>()> open_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<UserDirectory>> idle_;
};

using Loan = Pool::Loan;

class SharedMedia final : public MediaStore {
 public:
  explicit SharedMedia(Pool& pool) : pool_(pool) {}

  KeptMedia keep(UserNumber owner, const MediaFacts& facts, std::string_view bytes,
                 std::uint64_t most, Time now) override {
    return Loan(pool_)->media().keep(owner, facts, bytes, most, now);
  }
  void restore(const Upload& upload, std::string_view bytes) override {
    Loan(pool_)->media().restore(upload, bytes);
  }
  [[nodiscard]] std::optional<Upload> find(MediaId id) const override {
    return Loan(pool_)->media().find(id);
  }
  [[nodiscard]] std::string read(const Upload& upload) const override {
    return Loan(pool_)->media().read(upload);
  }
  [[nodiscard]] std::shared_ptr<const MediaFile> open(const Upload& upload) const override {
    return Loan(pool_)->media().open(upload);
  }
  [[nodiscard]] std::vector<Upload> scan(MediaId after, std::uint32_t limit) const override {
    return Loan(pool_)->media().scan(after, limit);
  }
  bool touch(UserNumber owner, std::span<const MediaId> uploads, Time now) override {
    return Loan(pool_)->media().touch(owner, uploads, now);
  }
  void touch(std::span<const MediaId> uploads, Time now) override {
    Loan(pool_)->media().touch(uploads, now);
  }
  [[nodiscard]] std::vector<MediaId> idle(Time before, std::uint32_t limit) const override {
    return Loan(pool_)->media().idle(before, limit);
  }
  std::uint64_t remove_idle(std::span<const MediaId> uploads, Time before) override {
    return Loan(pool_)->media().remove_idle(uploads, before);
  }
  void remove_of(UserNumber owner) override { Loan(pool_)->media().remove_of(owner); }
  bool begin_sweep(Time now, Time since) override {
    return Loan(pool_)->media().begin_sweep(now, since);
  }
  [[nodiscard]] std::vector<MediaProblem> problems() const override {
    return Loan(pool_)->media().problems();
  }
  void repair() override { Loan(pool_)->media().repair(); }

 private:
  Pool& pool_;
};

class Shared final : public UserDirectory {
 public:
  explicit Shared(std::function<std::unique_ptr<UserDirectory>()> open) : pool_(std::move(open)) {}

  User add(const NewUser& user, Time now) override { return Loan(pool_)->add(user, now); }
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override {
    return Loan(pool_)->load(users, now);
  }
  std::vector<User> restore(std::span<const User> users) override {
    return Loan(pool_)->restore(users);
  }
  [[nodiscard]] std::optional<User> find(UserNumber number) const override {
    return Loan(pool_)->find(number);
  }
  [[nodiscard]] std::optional<User> find(UserId id) const override { return Loan(pool_)->find(id); }
  [[nodiscard]] std::optional<User> find_name(std::string_view username) const override {
    return Loan(pool_)->find_name(username);
  }
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const override {
    return Loan(pool_)->find_email(email);
  }
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber number) const override {
    return Loan(pool_)->password_hash(number);
  }
  [[nodiscard]] UserMatches list(const UserQuery& query) const override {
    return Loan(pool_)->list(query);
  }
  [[nodiscard]] std::vector<User> scan(UserNumber after, std::uint32_t limit) const override {
    return Loan(pool_)->scan(after, limit);
  }
  [[nodiscard]] std::vector<User> newest(std::uint32_t limit) const override {
    return Loan(pool_)->newest(limit);
  }
  [[nodiscard]] std::uint64_t count() const override { return Loan(pool_)->count(); }
  User edit(UserNumber number, const UserEdit& edit) override {
    return Loan(pool_)->edit(number, edit);
  }
  bool replace_hash(UserNumber number, std::string_view before, std::string_view after) override {
    return Loan(pool_)->replace_hash(number, before, after);
  }
  bool remove(UserNumber number) override { return Loan(pool_)->remove(number); }
  [[nodiscard]] std::vector<DueCard> due_cards(std::uint32_t limit) const override {
    return Loan(pool_)->due_cards(limit);
  }
  [[nodiscard]] bool is_card_due(UserNumber user) const override {
    return Loan(pool_)->is_card_due(user);
  }
  void settle_cards(std::span<const DueCard> settled) override {
    Loan(pool_)->settle_cards(settled);
  }
  void begin_removal(UserNumber number) override { Loan(pool_)->begin_removal(number); }
  void cancel_removal(UserNumber number) override { Loan(pool_)->cancel_removal(number); }
  [[nodiscard]] std::vector<UserNumber> removals() const override {
    return Loan(pool_)->removals();
  }
  std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) override {
    return Loan(pool_)->add_token(user, now, expires_at);
  }
  [[nodiscard]] std::optional<UserNumber> token_owner(std::string_view token,
                                                      Time now) const override {
    return Loan(pool_)->token_owner(token, now);
  }
  bool revoke_token(std::string_view token) override { return Loan(pool_)->revoke_token(token); }
  std::uint64_t revoke_tokens(UserNumber user, std::string_view kept) override {
    return Loan(pool_)->revoke_tokens(user, kept);
  }
  [[nodiscard]] std::string session_id(std::string_view token) const override {
    return Loan(pool_)->session_id(token);
  }
  [[nodiscard]] std::vector<Session> sessions(UserNumber user, Time now,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const override {
    return Loan(pool_)->sessions(user, now, after, limit);
  }
  bool revoke_session(UserNumber user, std::string_view id) override {
    return Loan(pool_)->revoke_session(user, id);
  }
  [[nodiscard]] MediaStore& media() override { return media_; }
  [[nodiscard]] const MediaStore& media() const override { return media_; }
  void note_events(Sequence sequence) override { Loan(pool_)->note_events(sequence); }
  [[nodiscard]] std::vector<std::string> problems() const override {
    return Loan(pool_)->problems();
  }
  void rebuild_indexes() override { Loan(pool_)->rebuild_indexes(); }

 private:
  mutable Pool pool_;  // lends to those who only look, too
  SharedMedia media_{pool_};
};

}  // namespace

std::unique_ptr<UserDirectory> share_directory(
    std::function<std::unique_ptr<UserDirectory>()> open) {
  return std::make_unique<Shared>(std::move(open));
}

}  // namespace chirp
