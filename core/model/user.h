// A user, and the author card that feeds show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/ids.h"
#include "core/model/source_key.h"

namespace chirp {

// Whether a load generated the username (`u…`) or the user or source chose it. Only a generated
// name can be replaced by another in a load.
enum class NameOrigin : std::uint8_t { kOwn = 0, kGenerated = 1 };

// The previous username of a renamed user.
struct OldName {
  std::string username;  // as typed
  Time until;            // until then it leads to the user, and no other user can have it

  bool operator==(const OldName&) const = default;
};

// The row of the user directory, without the password.
struct User {
  UserNumber number;
  UserId id;
  std::string username;              // as typed; unique, ignoring case
  std::optional<std::string> email;  // unique, ignoring case
  std::string display_name;          // default: the username
  std::string bio;
  Time created_at;                  // sign-up
  std::optional<SourceKey> source;  // for loaded users
  MediaId picture{};                // an upload of theirs; 0 for none
  NameOrigin name_origin = NameOrigin::kOwn;
  bool has_password = false;
  bool suspended = false;             // hidden everywhere by the operator
  std::optional<OldName> old_name{};  // the previous username, until another user takes it

  bool operator==(const User&) const = default;
};

// A suspended user is stored like a present one and hidden like a removed one: stores keep writing
// about them, and reads for users leave them out.
enum class Presence : std::uint8_t { kPresent = 0, kRemoved = 1, kSuspended = 2 };

// Stored beside the posts, so that a page reads one state. The card of a removed user stays as a
// tombstone; its names are emptied once the removal is complete.
struct AuthorCard {
  UserNumber number;
  UserId id;
  std::string username;
  std::string display_name;
  std::optional<SourceKey> source;
  MediaId picture{};  // 0 for none
  Presence presence = Presence::kPresent;

  bool operator==(const AuthorCard&) const = default;
};

// Counters of a user's edges and posts, pending changes included.
struct UserCounters {
  std::int64_t followers = 0;
  std::int64_t following = 0;
  std::int64_t posts = 0;

  bool operator==(const UserCounters&) const = default;
};

// A change of a user's counters.
struct CounterDelta {
  UserNumber user;
  std::int64_t followers = 0;
  std::int64_t following = 0;
  std::int64_t posts = 0;

  bool operator==(const CounterDelta&) const = default;
};

}  // namespace chirp
