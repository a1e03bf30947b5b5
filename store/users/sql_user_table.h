// The rows of a user directory by SQL, within the transaction of a session.
#pragma once

#include "store/users/session.h"

namespace chirp::users {

class SqlUserTable : public UserTable {
 public:
  // The session must outlive this.
  explicit SqlUserTable(SqlSession& session) : session_(session) {}

  [[nodiscard]] std::optional<User> look_up(const SoughtUser& who) override;
  [[nodiscard]] std::optional<User> sourced(const SourceKey& source) override;
  [[nodiscard]] bool has_old_names(Time now) override;
  [[nodiscard]] bool has_upload(UserNumber owner, MediaId upload) override;
  void replace(const User& before, const User& after) override;
  void free_old_name(std::string_view name) override;
  void set_password(UserNumber user, std::string_view hash) override;
  void forget_tokens(UserNumber user, std::string_view kept) override;
  void erase(const User& user) override;
  void retire(UserId id) override;

 protected:
  [[nodiscard]] SqlSession& session() { return session_; }

 private:
  SqlSession& session_;
};

// Deletes the tokens of user $1 except the one with the hash $2.
[[nodiscard]] std::string delete_other_tokens(const Dialect& dialect);

}  // namespace chirp::users
