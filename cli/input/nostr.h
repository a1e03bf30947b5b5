// Events of nostr: which kinds are loaded as posts and users, and who follows whom.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/input/bad_lines.h"
#include "cli/input/edge_run.h"
#include "cli/input/ids.h"
#include "cli/input/json_fields.h"
#include "cli/input/json_objects.h"
#include "cli/input/json_values.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

// Returns the counter for an event of a kind that is not loaded. Private kinds are never read.
[[nodiscard]] LeftOut left_out_kind(std::uint64_t kind);

// Returns the contents of an event. For a post it completes the fields and returns nothing.
[[nodiscard]] std::optional<std::vector<JsonObject>> nostr_event(JsonFields& fields,
                                                                 const IdCells& ids);

// Whether a text that starts so holds events: objects with a `pubkey` and a `kind`.
[[nodiscard]] bool looks_like_nostr(std::string_view head);

// Who follows whom, by follow lists (kind 3). Each replaces what its author has published before,
// so only the newest of an author counts, in all files of a load together. Names come from profiles
// (kind 0), which replace one another in the same way.
class FollowLists {
 public:
  explicit FollowLists(EdgeSink sink);
  ~FollowLists();

  // Reads all of what `buffer` has open; `name` is for messages. Throws Error{kBadInput} if all
  // lists together have more than 32 M entries.
  void read(TextBuffer& buffer, std::string_view name, BadLines& bad);
  // Delivers the edges, and returns their number. Call it once, after the last file.
  std::uint64_t end();

  [[nodiscard]] std::uint64_t older_lists() const { return older_; }
  [[nodiscard]] std::uint64_t other_kinds() const { return other_; }

 private:
  // Of events that replace one another.
  struct Version {
    std::int64_t created_at = 0;  // seconds since 1970
    std::string event_id{};       // of two of the same second, the lower id counts

    [[nodiscard]] bool replaces(const Version& other) const {
      return created_at > other.created_at ||
             (created_at == other.created_at && event_id < other.event_id);
    }
    bool operator==(const Version&) const = default;
  };
  struct List {
    Version version;
    std::vector<SourceId> followees;
  };
  struct Profile {
    Version version;
    load::SourceUser user;
  };

  void take(const JsonPiece& piece, std::string_view name, BadLines& bad);
  // Returns what is wrong, or empty.
  std::string take(const simdjson::dom::object& event, std::string_view name);
  std::string take_list(const simdjson::dom::object& event, SourceId author, Version&& version,
                        std::string_view name);

  EdgeSink sink_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  std::unordered_map<std::uint64_t, List> lists_;  // by author
  std::map<std::uint64_t, Profile> profiles_;      // by author
  std::size_t entries_ = 0;                        // of all lists
  std::uint64_t older_ = 0;
  std::uint64_t other_ = 0;
};

}  // namespace chirp::cli::input
