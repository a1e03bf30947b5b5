// Converts post texts and markup to plain text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "cli/input/fields.h"

namespace chirp::cli::input {

struct PostText {
  std::string text;
  std::string problem{};  // the reason if there is no text, or empty
};

// Puts a title or content warning above the text. Either may be empty.
[[nodiscard]] std::string below_heading(std::string_view heading, std::string text);
// Converts the text first, as `escapes` says. A heading has no markup.
[[nodiscard]] PostText plain_text(Escapes escapes, std::string_view heading, std::string_view text);
// Converts the HTML of a status of Mastodon's API, which lists its mentions.
[[nodiscard]] PostText text_of_status(const simdjson::dom::object& status, std::string_view html);

// Builds plain text from markup: lines, paragraphs, list items, quoted lines.
class PlainText {
 public:
  // Adds words. White space becomes one blank, and none at the start or end of a line.
  void flow(std::string_view words);
  // Adds words with their white space.
  void verbatim(std::string_view words);
  // Ends the line, even if it is empty.
  void end_line() { ++breaks_; }
  // Starts a new line or paragraph.
  void block();
  void paragraph();
  // Starts a line with a marker, such as `- `, before the next words.
  void item(std::string marker);
  // Quotes later lines one level deeper, or one level less.
  void quote() { ++quotes_; }
  void unquote() { quotes_ -= quotes_ > 0 ? 1 : 0; }

  // Returns the text without trailing white space.
  [[nodiscard]] std::string take();

 private:
  // Writes what precedes words: line ends, quote signs, the marker.
  void lead();

  std::string text_;
  std::size_t breaks_ = 0;  // line ends to write before the next words
  std::size_t quotes_ = 0;
  bool blank_ = false;  // whether a blank is to be written before the next words
  std::string marker_;
};

}  // namespace chirp::cli::input
