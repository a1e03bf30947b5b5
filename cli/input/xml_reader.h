// Reads XML element by element through libxml2's streaming reader, in bounded memory.
//
// Fetches nothing and reads no DTD. A reference to an entity other than XML's own five ends the
// text. Attributes and texts are limited to 10 MB, and elements to 256 levels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/input/lines.h"

namespace chirp::cli::input {

class XmlReader {
 public:
  // Reads everything in `buffer`: as UTF-8 if it is valid UTF-8, because it may have been decoded
  // already; else in the encoding that the text declares. Throws Error{kUnavailable} if libxml2 is
  // missing.
  explicit XmlReader(TextBuffer& buffer);
  ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  // An element without content also has an end event.
  enum class Event : std::uint8_t { kStart, kEnd, kText, kOver };
  Event next();

  // Returns the name of a start or end without its prefix. Valid until next().
  [[nodiscard]] std::string_view name() const;
  // Returns the text of a text event. Valid until next().
  [[nodiscard]] std::string_view text() const;
  // Returns an attribute of a start. Empty if there is no such attribute.
  [[nodiscard]] std::string attribute(const char* name) const;
  // The line of the event, in which its tag ends.
  [[nodiscard]] std::uint64_t line() const;
  // Returns the reason if the text ended early, at line(). Empty otherwise.
  [[nodiscard]] const std::string& problem() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// The document element at the start of a text.
struct XmlRoot {
  std::string_view name;      // without its prefix; empty if the text is not XML
  bool has_entities = false;  // whether the text has a DTD, which may declare entities
};
[[nodiscard]] XmlRoot xml_root(std::string_view head);

}  // namespace chirp::cli::input
