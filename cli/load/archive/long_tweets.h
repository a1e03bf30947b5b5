// The whole texts of long tweets in Twitter's archives. They are in a separate file
// (`note-tweet.js`); the tweet itself has only the beginning.
//
// They have their own ids but not the tweet's, so the time and the beginning identify the tweet. A
// text that matches several tweets, or none, is counted and not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "cli/load/archive/account_archive.h"

namespace chirp::cli::archive {

// Short links in texts, `t.co`, and their full addresses.
struct ShortLink {
  std::string_view shown;
  std::string_view address;  // empty if unknown
};

// Replaces each short link by its address, as long as the text has at most `most` code points.
void expand(std::span<const ShortLink> links, std::string& text, std::size_t most);

// Replaces the first `part` by `whole`; false if `part` is not in the text.
bool replace(std::string& text, std::string_view part, std::string_view whole);

class LongTweets {
 public:
  explicit LongTweets(const Sink& sink) : sink_(sink) {}

  // Adds one; `file` is for messages. False if it has no id. Keeps at most this many bytes of texts
  // and ignores later ones.
  static constexpr std::size_t kBytesMax = std::size_t{64} << 20;
  bool add(const simdjson::dom::object& note, const std::string& file);

  // Returns the whole text of a tweet, with escapes decoded and links expanded, if there is one
  // that is short enough for a post. `text` is the tweet's own text in the same form, without the
  // links to its media at the end. A text that is too long for a post is counted, and reported with
  // `place`.
  [[nodiscard]] std::optional<std::string> whole(const load::SourcePost& tweet,
                                                 const std::string& text,
                                                 const input::InputPlace& place);
  // Counts and reports those that match no tweet.
  void tell_rest() const;

 private:
  struct Note {
    std::string id;
    std::string file;
    std::string text;                                        // as the archive has it
    std::vector<std::pair<std::string, std::string>> links;  // short links and their addresses
    bool taken = false;
  };
  using Notes = std::multimap<std::int64_t, Note>;

  [[nodiscard]] static std::optional<std::string> completed(const Note& note,
                                                            const std::string& text,
                                                            std::size_t most);

  const Sink& sink_;
  Notes notes_;  // by their time, in milliseconds
  std::size_t bytes_ = 0;
  std::vector<std::string> left_out_;  // messages about those that are not kept
};

}  // namespace chirp::cli::archive
