// Reads XML element by element through libxml2's streaming reader, in bounded memory.
//
// Nothing is fetched, no DTD is read, and references to entities other than XML's own five end the
// text. An attribute or text has 10 MB at most, and elements nest 256 deep.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/input/lines.h"

namespace chirp::cli::input {

class XmlReader {
 public:
  // Reads all of what `buffer` has open: as UTF-8 if what is in the buffer is that, because the
  // text may have been decoded, and else in the encoding that the text declares. Throws
  // Error{kUnavailable} where libxml2 is missing.
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
  bool has_entities = false;  // there is a DTD in the text, which may declare entities
};
[[nodiscard]] XmlRoot xml_root(std::string_view head);

}  // namespace chirp::cli::input
