// What an archive of an account holds, whichever service wrote it, and who reads which.
//
// A reader is told the archive's files (tree.h), says whether they are its own kind's, and then
// hands what they hold to a sink, in whatever order it lies there. It is asked more than once, and
// has to say the same each time: first for what the posts name, then to load them. It never
// decides what becomes of a post: whether a reply becomes a comment or a like finds its post is the
// loaders' to tell.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/bad_lines.h"
#include "cli/load/archive/tree.h"
#include "core/load/source.h"
#include "core/load/words.h"
#include "core/model/source_key.h"
#include "core/model/time.h"

namespace chirp::cli::archive {

// Whose archive it is. What it doesn't say is empty.
struct Profile {
  std::optional<SourceKey> id;  // what other sources call the account
  std::string username;         // as the source has it, whether or not it is valid here
  std::string display_name;
  std::string bio;
  std::optional<Time> created_at;
  std::string picture;  // a path in the tree; empty if there is none
};

struct Sink {
  // A post by the account: `author_id` and `username` stay empty. With `privacy` and `media`, whose
  // `file` is a path in the tree. A repost has `repost_of`; what it repeats may be in `original`,
  // with its author. Direct messages, what was deleted, and reposts that were not for everybody
  // never come here.
  std::function<void(load::SourcePost&&, const input::InputPlace&)> post;
  // A post that the account likes, its own or somebody else's.
  std::function<void(SourceId)> like;
  // How the account stands to somebody else, or to itself, as some archives have it.
  std::function<void(const load::SourceTie&)> tie;
  // So many of a kind are passed over, by a name for programs, such as "directMessages"; `what`
  // says where, for people who asked for details.
  std::function<void(const std::string& kind, std::uint64_t times, std::string_view what)> skip;
  // Where what can't be read is told of; more than were allowed throw.
  input::BadLines& bad;
  // What stands for ids that are words.
  load::Words& words;
  // What becomes of posts that everybody may see and no list shows.
  Privacy unlisted = Privacy::kFollowers;

  // An id as the loaders have it: a number as it is, a word as what stands for it in this load.
  [[nodiscard]] std::optional<SourceId> id(std::string_view text) const {
    const auto key = source_key(text);
    return key ? std::optional(words.id_of(*key)) : std::nullopt;
  }
  // The same of a user.
  [[nodiscard]] std::optional<SourceId> user_id(std::string_view text) const {
    const auto key = source_key(text);
    return key ? std::optional(words.user_id_of(*key)) : std::nullopt;
  }
};

class Reader {
 public:
  virtual ~Reader() = default;

  // As it is told to people: "Twitter archive".
  [[nodiscard]] virtual std::string format() const = 0;
  // Throws Error{kBadInput} for what can't be read at all.
  [[nodiscard]] virtual Profile profile(Tree& tree) = 0;
  // Hands over all that the archive holds. Throws Error{kBadInput} for what can't be read at all.
  virtual void read(Tree& tree, const Sink& sink) = 0;
};

// Each answers null for a tree of another kind, told by its files alone.
[[nodiscard]] std::unique_ptr<Reader> twitter_reader(const Tree& tree);    // of 2019 and later
[[nodiscard]] std::unique_ptr<Reader> grailbird_reader(const Tree& tree);  // of before
[[nodiscard]] std::unique_ptr<Reader> mastodon_reader(const Tree& tree);

// The reader of the tree's kind. Throws Error{kBadInput}, saying what was looked for, if there is
// none, and if there is more than one archive, of which all but one would be passed over.
[[nodiscard]] std::unique_ptr<Reader> reader_of(const Tree& tree);

}  // namespace chirp::cli::archive
