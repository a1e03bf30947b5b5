// The rows of uploads over SQL. The databases differ in where the bytes are, and so in how rows and
// bytes are written and removed together.
#pragma once

#include "core/ports/media_store.h"
#include "store/users/session.h"

namespace chirp::users {

class SqlMediaStore : public MediaStore {
 public:
  [[nodiscard]] std::optional<Upload> find(MediaId id) const override;
  [[nodiscard]] std::vector<Upload> scan(MediaId after, std::uint32_t limit) const override;
  [[nodiscard]] std::vector<MediaId> idle(Time before, std::uint32_t limit) const override;
  bool begin_sweep(Time now, Time since) override;
  [[nodiscard]] std::vector<MediaProblem> problems() const override;

 protected:
  [[nodiscard]] virtual std::unique_ptr<SqlSession> lend() const = 0;
  // Returns the name of an upload's bytes if they are missing or damaged, else an empty text.
  [[nodiscard]] virtual std::string damaged_bytes(const Upload& upload) const = 0;
  // Returns a problem for all bytes that no row names.
  [[nodiscard]] virtual std::vector<MediaProblem> orphans() const = 0;
};

// `select <columns of an upload> from media <rest>`.
[[nodiscard]] std::string select_media(std::string_view rest);
// Returns the next row of such a query, if there is one. Throws Error{kCorrupt} if it is damaged.
[[nodiscard]] std::optional<Upload> next_upload(const SqlSession& session, SqlRows& rows);

// Adds a row, in a transaction. insert_upload() throws Error{kAlreadyExists} if the id, or the file
// of this owner, is there.
void insert_upload(SqlSession& session, const Upload& upload);
void send_upload(SqlSession& session, const Upload& upload);
// An owner has stored the same file again at `now`.
void send_renewal(SqlSession& session, Upload& upload, Time now);
// Clears pictures that are no upload of their user.
void send_clear_pictures(SqlSession& session);

}  // namespace chirp::users
