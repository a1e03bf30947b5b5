// The whole texts of long tweets in Twitter's archives: they are in a file of their own
// (`note-tweet.js`), while the tweet has only the beginning.
//
// They have their own ids but not the tweet's, so the time and the beginning identify the tweet. A
// text that fits several tweets, or none, is counted and not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "cli/load/archive/account_archive.h"

namespace chirp::cli::archive {

class LongTweets {
 public:
  explicit LongTweets(const Sink& sink) : sink_(sink) {}

  // Adds one; `file` is for messages. False if it has no id. Keeps at most this many bytes of texts
  // and ignores later ones.
  static constexpr std::size_t kBytesMax = std::size_t{64} << 20;
  bool add(const simdjson::dom::object& note, const std::string& file);

  // The whole text of a tweet, if there is one for it that a post can have: escapes undone and
  // links whole. `text` is what the tweet itself says, treated the same, and without the links to
  // its media at the end. One that is too long for a post is counted, and said of `place`.
  [[nodiscard]] std::optional<std::string> whole(const load::SourcePost& tweet,
                                                 const std::string& text,
                                                 const input::InputPlace& place);
  // Counts those that no tweet has taken.
  void tell_rest() const;

 private:
  struct Note {
    std::string id;
    std::string file;
    std::string text;                                        // as the archive has it
    std::vector<std::pair<std::string, std::string>> links;  // short, and what for
    bool taken = false;
  };
  using Notes = std::multimap<std::int64_t, Note>;

  [[nodiscard]] static std::optional<std::string> completed(const Note& note,
                                                            const std::string& text,
                                                            std::size_t most);

  const Sink& sink_;
  Notes notes_;  // by their time, in milliseconds
  std::size_t bytes_ = 0;
  std::vector<std::string> left_out_;  // what is said of those that are not kept
};

}  // namespace chirp::cli::archive
