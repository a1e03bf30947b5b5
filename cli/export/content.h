// Ties and the content under posts in an export: blocks, mutes, reactions and comments, in the
// order of ids.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/ports/snapshot.h"
#include "server/json/json_writer.h"

namespace chirp::cli {

// The users of one state of the engine's store whose posts and follows are exported.
class ExportedUsers {
 public:
  struct Entry {
    UserId id;
    UserNumber number;
  };

  explicit ExportedUsers(const RowReader& snapshot);

  [[nodiscard]] const std::vector<Entry>& by_id() const { return by_id_; }
  // 0 for a user who is not exported.
  [[nodiscard]] UserId id(UserNumber number) const {
    return number.value < ids_.size() ? ids_[number.value] : UserId{};
  }
  [[nodiscard]] bool has(UserNumber number) const { return id(number).value != 0; }

 private:
  void add(UserNumber number, UserId id);

  std::vector<Entry> by_id_;
  std::vector<UserId> ids_;  // by number; numbers are dense
};

using WriteLine = std::function<void(const std::string& line)>;

// The id that a source calls something by.
void write_source(api::JsonWriter& json, const SourceKey& source);

void export_relations(const Snapshot& snapshot, const ExportedUsers& users, const WriteLine& write);
void export_reactions(const Snapshot& snapshot, const ExportedUsers& users, const WriteLine& write);
void export_comments(const Snapshot& snapshot, const ExportedUsers& users, const WriteLine& write);

// Whether others may hang on the post: it is there, its author too, and it is no repost.
[[nodiscard]] bool is_exported_original(const std::optional<Post>& post,
                                        const ExportedUsers& users);

}  // namespace chirp::cli
