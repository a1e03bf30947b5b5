// The contents of an account's archive, of any service, and its readers.
//
// A reader gets the archive's files (tree.h), says whether it knows their format, and passes their
// contents to a sink, in any order. It is called several times and must report the same each time:
// first to find what the posts name, then to load them. It never decides how a post is stored: the
// loaders decide whether a reply becomes a comment, or whether a like finds its post.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/lines.h"
#include "cli/load/archive/tree.h"
#include "core/load/source.h"
#include "core/load/words.h"
#include "core/model/source_key.h"
#include "core/model/time.h"

namespace chirp::cli::archive {

// The owner of an archive. Fields that it lacks are empty.
struct Profile {
  std::optional<SourceKey> id;  // the account's id in other sources
  std::string username;         // as the source has it, whether or not it is valid here
  std::string display_name;
  std::string bio;
  std::optional<Time> created_at;
  std::string picture;  // a path in the tree; may be empty
};

struct Sink {
  // A post by the account: `author_id` and `username` stay empty. `media` have paths in the tree as
  // `file`. A repost has `repost_of`; its original may be in `original`, with its author. Direct
  // messages, deleted posts, and reposts that were not public are never passed.
  std::function<void(load::SourcePost&&, const input::InputPlace&)> post;
  // A post that the account likes, its own or another user's.
  std::function<void(SourceId)> like;
  // A tie of the account to another user, or to itself, as some archives have it.
  std::function<void(const load::SourceTie&)> tie;
  // Skips `times` items of a kind. `kind` is a name for programs, such as "directMessages"; `what`
  // is the position, for --verbose.
  std::function<void(const std::string& kind, std::uint64_t times, std::string_view what)> skip;
  // Reports unreadable entries; throws if there are more than allowed.
  input::BadLines& bad;
  // The numbers of ids that are words.
  load::Words& words;
  // The privacy of public posts that no list shows.
  Privacy unlisted = Privacy::kFollowers;

  // An id for the loaders: a number as it is, a word as its number in this load.
  [[nodiscard]] std::optional<SourceId> id(std::string_view text) const {
    const auto key = source_key(text);
    return key ? std::optional(words.id_of(*key)) : std::nullopt;
  }
  // The same for a user's id.
  [[nodiscard]] std::optional<SourceId> user_id(std::string_view text) const {
    const auto key = source_key(text);
    return key ? std::optional(words.user_id_of(*key)) : std::nullopt;
  }
};

class Reader {
 public:
  virtual ~Reader() = default;

  // The name for people: "Twitter archive".
  [[nodiscard]] virtual std::string format() const = 0;
  // Throws Error{kBadInput} if it can't be read at all.
  [[nodiscard]] virtual Profile profile(Tree& tree) = 0;
  // Passes on all contents of the archive. Throws Error{kBadInput} if they can't be read at all.
  virtual void read(Tree& tree, const Sink& sink) = 0;
};

// Each returns null for a tree of another format. Only the names of files decide.
[[nodiscard]] std::unique_ptr<Reader> twitter_reader(const Tree& tree);    // of 2019 and later
[[nodiscard]] std::unique_ptr<Reader> grailbird_reader(const Tree& tree);  // of 2018 and earlier
[[nodiscard]] std::unique_ptr<Reader> mastodon_reader(const Tree& tree);

// The reader for the tree. Throws Error{kBadInput} if there is no archive, with the names of the
// expected files, or if there is more than one.
[[nodiscard]] std::unique_ptr<Reader> reader_of(const Tree& tree);

}  // namespace chirp::cli::archive
