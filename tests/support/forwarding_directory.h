// A UserDirectory that hands every call to another: for tests that change a few of them.
#pragma once

#include "core/ports/user_directory.h"

namespace chirp::test {

class ForwardingDirectory : public UserDirectory {
 public:
  // `inner` must outlive it.
  explicit ForwardingDirectory(UserDirectory& inner) : inner_(inner) {}

  User add(const NewUser& user, Time now) override { return inner_.add(user, now); }
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override {
    return inner_.load(users, now);
  }
  std::vector<User> restore(std::span<const User> users) override { return inner_.restore(users); }
  [[nodiscard]] std::optional<User> find(UserNumber number) const override {
    return inner_.find(number);
  }
  [[nodiscard]] std::optional<User> find(UserId id) const override { return inner_.find(id); }
  [[nodiscard]] std::optional<User> find_name(std::string_view username) const override {
    return inner_.find_name(username);
  }
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const override {
    return inner_.find_email(email);
  }
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber number) const override {
    return inner_.password_hash(number);
  }
  [[nodiscard]] UserMatches list(const UserQuery& query) const override {
    return inner_.list(query);
  }
  [[nodiscard]] std::vector<User> scan(UserNumber after, std::uint32_t limit) const override {
    return inner_.scan(after, limit);
  }
  [[nodiscard]] std::vector<User> newest(std::uint32_t limit) const override {
    return inner_.newest(limit);
  }
  [[nodiscard]] std::uint64_t count() const override { return inner_.count(); }
  User edit(UserNumber number, const UserEdit& edit) override { return inner_.edit(number, edit); }
  bool remove(UserNumber number) override { return inner_.remove(number); }
  [[nodiscard]] std::vector<DueCard> due_cards(std::uint32_t limit) const override {
    return inner_.due_cards(limit);
  }
  [[nodiscard]] bool is_card_due(UserNumber user) const override {
    return inner_.is_card_due(user);
  }
  void settle_cards(std::span<const DueCard> settled) override { inner_.settle_cards(settled); }
  void begin_removal(UserNumber number) override { inner_.begin_removal(number); }
  void cancel_removal(UserNumber number) override { inner_.cancel_removal(number); }
  [[nodiscard]] std::vector<UserNumber> removals() const override { return inner_.removals(); }
  std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) override {
    return inner_.add_token(user, now, expires_at);
  }
  [[nodiscard]] std::optional<UserNumber> token_owner(std::string_view token,
                                                      Time now) const override {
    return inner_.token_owner(token, now);
  }
  bool revoke_token(std::string_view token) override { return inner_.revoke_token(token); }
  std::uint64_t revoke_tokens(UserNumber user, std::string_view kept) override {
    return inner_.revoke_tokens(user, kept);
  }
  [[nodiscard]] std::string session_id(std::string_view token) const override {
    return inner_.session_id(token);
  }
  [[nodiscard]] std::vector<Session> sessions(UserNumber user, Time now,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const override {
    return inner_.sessions(user, now, after, limit);
  }
  bool revoke_session(UserNumber user, std::string_view id) override {
    return inner_.revoke_session(user, id);
  }
  bool replace_hash(UserNumber number, std::string_view before, std::string_view after) override {
    return inner_.replace_hash(number, before, after);
  }
  [[nodiscard]] MediaStore& media() override { return inner_.media(); }
  [[nodiscard]] const MediaStore& media() const override {
    return static_cast<const UserDirectory&>(inner_).media();
  }
  void note_events(Sequence sequence) override { inner_.note_events(sequence); }
  [[nodiscard]] std::vector<std::string> problems() const override { return inner_.problems(); }
  void rebuild_indexes() override { inner_.rebuild_indexes(); }

 protected:
  UserDirectory& inner_;
};

}  // namespace chirp::test
