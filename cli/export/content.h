// Ties and the content under posts in an export: blocks, mutes, reactions and comments, in the
// order of ids.
#pragma once

#include <functional>
#include <string>

#include "cli/export/users.h"
#include "server/json/json_writer.h"

namespace chirp::cli {

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
