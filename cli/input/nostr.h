// Events of nostr: the kinds that are loaded as posts and users, and follow lists.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

// Whether a text with this start holds events: objects with a `pubkey` and a `kind`.
[[nodiscard]] bool looks_like_nostr(std::string_view head);

// Converts follow lists (kind 3) to edges and profiles (kind 0) to names. A newer event replaces an
// older one of the same author and kind, in any file of the load.
class FollowLists {
 public:
  explicit FollowLists(EdgeSink sink, std::size_t bytes_max = std::size_t{256} << 20);
  ~FollowLists();

  // Reads everything in `buffer`; `name` is for messages. Throws Error{kBadInput} if the events to
  // keep need more than `bytes_max`.
  void read(TextBuffer& buffer, std::string_view name, BadLines& bad);
  // Delivers the edges, and returns their number. Call it once, after the last file.
  std::uint64_t end();

  [[nodiscard]] std::uint64_t older_lists() const { return older_; }
  [[nodiscard]] std::uint64_t other_kinds() const { return other_; }

 private:
  // Orders two events: the later one replaces the other, or in the same second the one with the
  // lower id.
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
  // Returns an error, or empty.
  std::string take(const simdjson::dom::object& event, std::string_view name);
  std::string take_list(const simdjson::dom::object& event, SourceId author, Version&& version,
                        std::string_view name);
  static std::size_t size_of(const List& list);
  static std::size_t size_of(const Profile& profile);
  // Counts the additional bytes of an event compared with the one it replaces.
  void remember(std::size_t bytes, std::size_t replaced, std::string_view name);

  EdgeSink sink_;
  std::unique_ptr<simdjson::dom::parser> parser_;
  std::unordered_map<std::uint64_t, List> lists_;  // by author
  std::map<std::uint64_t, Profile> profiles_;      // by author
  std::size_t bytes_ = 0;                          // of all lists and profiles, approximately
  std::size_t bytes_max_;
  std::uint64_t older_ = 0;
  std::uint64_t other_ = 0;
};

}  // namespace chirp::cli::input
