// Plain text as it comes about from marked up text: lines, paragraphs, items, quoted lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chirp::cli::input {

class PlainText {
 public:
  // White space of any length is one blank, and none where a line begins or ends.
  void flow(std::string_view words);
  // White space is kept.
  void verbatim(std::string_view words);
  // Ends the line, however empty.
  void end_line() { ++breaks_; }
  // What follows stands on a line of its own, or behind an empty line.
  void block();
  void paragraph();
  // The next words stand on a line of their own behind this, such as `- `.
  void item(std::string marker);
  // Lines from here on are quoted once more, or once less.
  void quote() { ++quotes_; }
  void unquote() { quotes_ -= quotes_ > 0 ? 1 : 0; }

  // The text without white space at its end.
  [[nodiscard]] std::string take();

 private:
  // What stands before words: the ends of lines, signs of quotes, the marker.
  void lead();

  std::string text_;
  std::size_t breaks_ = 0;  // ends of lines that wait for words to follow
  std::size_t quotes_ = 0;
  bool blank_ = false;  // one waits
  std::string marker_;
};

}  // namespace chirp::cli::input
