// The user directory in a SQLite file (store/sqlite/schema.h).
//
// Opening costs about a millisecond however many users there are. Where the directory can't be
// written, the file is opened for reading and every change throws Error{kReadOnly}.
#pragma once

#include <filesystem>
#include <memory>

#include "core/ports/user_directory.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/media_rows.h"
#include "store/sqlite/schema.h"

namespace chirp::sqlite {

class SqliteUserDirectory final : public UserDirectory {
 public:
  // Use open_user_directory.
  explicit SqliteUserDirectory(const std::filesystem::path& file);
  // Of a copy of `file`, for reading.
  SqliteUserDirectory(const std::filesystem::path& file, const PrivateCopy& copy);

  User add(const NewUser& user, Time now) override;
  std::vector<LoadedUserResult> load(std::span<const LoadedUser> users, Time now) override;
  std::vector<User> restore(std::span<const User> users) override;

  [[nodiscard]] std::optional<User> find(UserNumber number) const override;
  [[nodiscard]] std::optional<User> find(UserId id) const override;
  [[nodiscard]] std::optional<User> find_name(std::string_view username) const override;
  [[nodiscard]] std::optional<User> find_email(std::string_view email) const override;
  [[nodiscard]] std::optional<std::string> password_hash(UserNumber number) const override;
  [[nodiscard]] UserMatches list(const UserQuery& query) const override;
  [[nodiscard]] std::vector<User> scan(UserNumber after, std::uint32_t limit) const override;
  [[nodiscard]] std::vector<User> newest(std::uint32_t limit) const override;
  [[nodiscard]] std::uint64_t count() const override;

  User edit(UserNumber number, const UserEdit& edit) override;
  bool replace_hash(UserNumber number, std::string_view before, std::string_view after) override;
  bool remove(UserNumber number) override;

  [[nodiscard]] std::vector<DueCard> due_cards(std::uint32_t limit) const override;
  [[nodiscard]] bool is_card_due(UserNumber user) const override;
  void settle_cards(std::span<const DueCard> settled) override;

  void begin_removal(UserNumber number) override;
  void cancel_removal(UserNumber number) override;
  [[nodiscard]] std::vector<UserNumber> removals() const override;

  std::string add_token(UserNumber user, Time now, std::optional<Time> expires_at) override;
  [[nodiscard]] std::optional<UserNumber> token_owner(std::string_view token,
                                                      Time now) const override;
  bool revoke_token(std::string_view token) override;
  std::uint64_t revoke_tokens(UserNumber user, std::string_view kept) override;
  [[nodiscard]] std::string session_id(std::string_view token) const override;
  [[nodiscard]] std::vector<Session> sessions(UserNumber user, Time now,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const override;
  bool revoke_session(UserNumber user, std::string_view id) override;
  [[nodiscard]] MediaStore& media() override { return media_; }
  [[nodiscard]] const MediaStore& media() const override { return media_; }

  // Waits for nobody: Error{kUnavailable} while somebody else writes.
  void note_events(Sequence sequence) override;
  [[nodiscard]] std::vector<std::string> problems() const override;
  void rebuild_indexes() override;

  // ---- for who opens the data directory
  [[nodiscard]] const Identity& identity() const { return identity_; }
  // What note_events has last been told; the engine's log must reach so far.
  [[nodiscard]] Sequence noted_events() const;
  // The last number that was given to a user, removed ones among them; kNobody if there was none.
  [[nodiscard]] UserNumber last_number() const;
  // Lower, too: of a copy that goes with an engine's copy of an earlier time.
  void reset_noted_events(Sequence sequence);
  [[nodiscard]] Access access() const { return connection_.access(); }
  // Whether what is read is a copy, taken when it was opened.
  [[nodiscard]] bool is_copy() const { return connection_.is_copy(); }
  // Bytes of the file in use.
  [[nodiscard]] std::uint64_t bytes_in_use() const;
  // A consistent copy while others write, as a file that must not exist; synced, its folder is not.
  void copy_to(const std::filesystem::path& destination);
  // Writes the file anew without free space, and what was deleted is gone from it.
  void compact();

 private:
  // SQLite's handles move on when they are read; the port's promise of one thread at a time holds.
  mutable Connection connection_;
  Identity identity_;
  SqliteMediaStore media_;
};

// Opens the file of a data directory. Throws Error{kCorrupt} if it is missing, damaged or another
// file, {kVersion} for another format version.
[[nodiscard]] std::unique_ptr<SqliteUserDirectory> open_user_directory(
    const std::filesystem::path& file);

// Makes an empty user directory, complete in the one file and synced; its folder is the caller's to
// sync. Throws Error{kConflict} if the file is there. `machine` as for live ids.
void create_user_directory(const std::filesystem::path& file, const Identity& identity);

}  // namespace chirp::sqlite
