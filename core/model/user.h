// A user, and the author card: what a feed prints of one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ids.h"
#include "core/model/source_key.h"

namespace chirp {

// Whether a username was made up by a load (`u…`) or is somebody's own. Only a made-up one gives
// way to another.
enum class NameOrigin : std::uint8_t { kOwn = 0, kGenerated = 1 };

// What a user was called before they were renamed.
struct OldName {
  std::string username;  // as it was typed
  Time until;            // leads to the user, and is nobody else's, before this time

  bool operator==(const OldName&) const = default;
};

// The row of the user directory, less the password.
struct User {
  UserNumber number;
  UserId id;
  std::string username;              // as typed; unique whatever its case
  std::optional<std::string> email;  // unique whatever its case
  std::string display_name;          // the username unless given
  std::string bio;
  Time created_at;                  // sign-up
  std::optional<SourceKey> source;  // of who came by a load
  MediaId picture{};                // an upload of theirs; 0: none
  NameOrigin name_origin = NameOrigin::kOwn;
  bool has_password = false;
  bool suspended = false;             // hidden everywhere, by who runs the directory
  std::optional<OldName> old_name{};  // the last one, until another user takes it

  bool operator==(const User&) const = default;
};

// Who is suspended is kept like who is present, and hidden like who is removed: stores go on
// writing about them, and whoever reads for people leaves them out.
enum class Presence : std::uint8_t { kPresent = 0, kRemoved = 1, kSuspended = 2 };

// Kept beside the posts, in the same store, so that a page reads one state. The card of a removed
// user stays as a mark, its names emptied once the removal is complete.
struct AuthorCard {
  UserNumber number;
  UserId id;
  std::string username;
  std::string display_name;
  std::optional<SourceKey> source;
  MediaId picture{};  // 0: none
  Presence presence = Presence::kPresent;

  bool operator==(const AuthorCard&) const = default;
};

// Of a user: edges and posts, stored ones and pending changes together.
struct UserCounters {
  std::int64_t followers = 0;
  std::int64_t following = 0;
  std::int64_t posts = 0;

  bool operator==(const UserCounters&) const = default;
};

// What is to be added to a user's counters.
struct CounterDelta {
  UserNumber user;
  std::int64_t followers = 0;
  std::int64_t following = 0;
  std::int64_t posts = 0;

  bool operator==(const CounterDelta&) const = default;
};

}  // namespace chirp
