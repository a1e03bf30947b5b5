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

// Makes edges of follow lists (kind 3) and names of profiles (kind 0). A newer event replaces an
// older one of the same author and kind, in whatever file of the load it is.
class FollowLists {
 public:
  explicit FollowLists(EdgeSink sink, std::size_t bytes_max = std::size_t{256} << 20);
  ~FollowLists();

  // Reads all of what `buffer` has open; `name` is for messages. Throws Error{kBadInput} if the
  // events to be remembered need more than `bytes_max`.
  void read(TextBuffer& buffer, std::string_view name, BadLines& bad);
  // Delivers the edges, and returns their number. Call it once, after the last file.
  std::uint64_t end();

  [[nodiscard]] std::uint64_t older_lists() const { return older_; }
  [[nodiscard]] std::uint64_t other_kinds() const { return other_; }

 private:
  // Tells which of two events replaces the other: the later one, or in the same second the one with
  // the lower id.
  struct Version {
    std::int64_t created_at = 0;  // seconds since 1970
    std::string event_id{};

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
  static std::size_t size_of(const List& list);
  static std::size_t size_of(const Profile& profile);
  // Counts the bytes that an event needs more than the one it replaces.
  void remember(std::size_t bytes, std::size_t replaced, std::string_view name);

  EdgeSink sink_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  std::unordered_map<std::uint64_t, List> lists_;  // by author
  std::map<std::uint64_t, Profile> profiles_;      // by author
  std::size_t bytes_ = 0;                          // of all lists and profiles, about
  std::size_t bytes_max_;
  std::uint64_t older_ = 0;
  std::uint64_t other_ = 0;
};

}  // namespace chirp::cli::input
