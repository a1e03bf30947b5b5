#include "cli/input/xml_reader.h"

#include <algorithm>
#include <exception>
#include <libxml/xmlreader.h>
#include <new>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/input/notations.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "store/shared_library.h"

namespace chirp::cli::input {
namespace {

struct LibxmlReader {
  store::SharedLibrary library{CHIRP_LIBXML2, "Reading XML"};
  decltype(&::xmlReaderForIO) open = library.function("xmlReaderForIO");
  decltype(&::xmlFreeTextReader) free = library.function("xmlFreeTextReader");
  decltype(&::xmlTextReaderRead) read = library.function("xmlTextReaderRead");
  decltype(&::xmlTextReaderNodeType) type = library.function("xmlTextReaderNodeType");
  decltype(&::xmlTextReaderIsEmptyElement) is_empty =
      library.function("xmlTextReaderIsEmptyElement");
  decltype(&::xmlTextReaderConstLocalName) name = library.function("xmlTextReaderConstLocalName");
  decltype(&::xmlTextReaderConstValue) value = library.function("xmlTextReaderConstValue");
  decltype(&::xmlTextReaderMoveToAttribute) to_attribute =
      library.function("xmlTextReaderMoveToAttribute");
  decltype(&::xmlTextReaderMoveToElement) to_element =
      library.function("xmlTextReaderMoveToElement");
  decltype(&::xmlTextReaderSetStructuredErrorHandler) on_error =
      library.function("xmlTextReaderSetStructuredErrorHandler");
};

const LibxmlReader& libxml2() {
  static const LibxmlReader opened;
  return opened;
}

std::string_view view(const xmlChar* text) {
  return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text);
}

}  // namespace

struct XmlReader::Parser {
  explicit Parser(TextBuffer& text) : buffer(text) {}

  // Gives the library one line at a time. It parses its input at once, so an event belongs to the
  // last line given. Its own line numbers end at 65,535.
  int read(std::span<char> into) {
    try {
      while (buffer.unread().empty()) {
        if (buffer.fill() != TextBuffer::Filled::kMore) return 0;
      }
    } catch (...) {
      failure = std::current_exception();
      return -1;
    }
    const std::string_view text = buffer.unread().substr(0, into.size());
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    std::copy_n(text.begin(), size, into.begin());
    if (std::exchange(line_ended, text[size - 1] == '\n')) ++line;
    buffer.consume(size);
    return static_cast<int>(size);
  }

  void fail(const xmlError& error) {
    // An entity that is not declared would be left out without an error.
    const bool undeclared = error.code == XML_WAR_UNDECLARED_ENTITY;
    if (!problem.empty() || (error.level == XML_ERR_WARNING && !undeclared)) return;
    if (error.line > 0) problem_line = static_cast<std::uint64_t>(error.line);
    const bool encoding = error.code == XML_ERR_INVALID_CHAR ||
                          error.code == XML_ERR_INVALID_ENCODING ||
                          error.code == XML_I18N_CONV_FAILED;
    problem = fmt::format(
        "not valid XML: {}{}; the rest of the file is not read",
        error.message == nullptr ? "the parser gives no reason"
                                 : printable(trimmed(error.message), 200),
        encoding ? " (if the text is not UTF-8, name its encoding with --encoding)" : "");
  }

  TextBuffer& buffer;
  std::unique_ptr<xmlTextReader, void (*)(xmlTextReader*)> reader{
      nullptr, [](xmlTextReader* one) { libxml2().free(one); }};
  std::uint64_t line = 0;
  bool line_ended = true;
  bool ends = false;  // the element that has started is empty, so its end comes next
  bool over = false;
  std::string problem;
  std::uint64_t problem_line = 0;
  std::exception_ptr failure;
};

XmlReader::XmlReader(TextBuffer& buffer) : parser_(std::make_unique<Parser>(buffer)) {
  const auto read = [](void* self, char* into, int size) {
    return static_cast<Parser*>(self)->read({into, static_cast<std::size_t>(size)});
  };
  const std::string_view head = buffer.unread();
  const bool is_utf8 = utf8::is_valid(head.substr(0, head.rfind('>')));
  parser_->reader.reset(
      libxml2().open(read, nullptr, parser_.get(), nullptr, "UTF-8",
                     XML_PARSE_NONET | XML_PARSE_COMPACT | (is_utf8 ? XML_PARSE_IGNORE_ENC : 0)));
  if (parser_->failure) std::rethrow_exception(parser_->failure);
  if (!parser_->reader) throw std::bad_alloc();
  libxml2().on_error(
      parser_->reader.get(),
      [](void* self, xmlErrorPtr error) { static_cast<Parser*>(self)->fail(*error); },
      parser_.get());
}

XmlReader::~XmlReader() = default;

XmlReader::Event XmlReader::next() {
  Parser& parser = *parser_;
  while (!parser.over) {
    if (std::exchange(parser.ends, false)) return Event::kEnd;
    const int got = libxml2().read(parser.reader.get());
    if (parser.failure) std::rethrow_exception(parser.failure);
    if (got < 0 && parser.problem.empty()) parser.problem = "not valid XML";
    if (got != 1 || !parser.problem.empty()) break;
    switch (libxml2().type(parser.reader.get())) {
      case XML_READER_TYPE_ELEMENT:
        parser.ends = libxml2().is_empty(parser.reader.get()) == 1;
        return Event::kStart;
      case XML_READER_TYPE_END_ELEMENT:
        return Event::kEnd;
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
        return Event::kText;
      case XML_READER_TYPE_ENTITY_REFERENCE:
        parser.problem = "the text refers to an entity, which is not read";
        parser.over = true;
        break;
      default:
        break;
    }
  }
  parser.over = true;
  return Event::kOver;
}

std::string_view XmlReader::name() const { return view(libxml2().name(parser_->reader.get())); }

std::string_view XmlReader::text() const { return view(libxml2().value(parser_->reader.get())); }

std::string XmlReader::attribute(const char* name) const {
  xmlTextReader* const reader = parser_->reader.get();
  if (libxml2().to_attribute(reader, reinterpret_cast<const xmlChar*>(name)) != 1) return {};
  std::string value(view(libxml2().value(reader)));
  libxml2().to_element(reader);
  return value;
}

std::uint64_t XmlReader::line() const {
  return parser_->problem_line > 0 ? parser_->problem_line : parser_->line;
}

const std::string& XmlReader::problem() const { return parser_->problem; }

XmlRoot xml_root(std::string_view head) {
  XmlRoot root;
  for (;;) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    if (!head.starts_with('<')) return {};
    const std::string_view end = head.starts_with("<!--") ? "-->"
                                 : head.starts_with("<?") ? "?>"
                                                          : "";
    if (!end.empty()) {
      head.remove_prefix(std::min(head.find(end), head.size()));
      head.remove_prefix(std::min(end.size(), head.size()));
      continue;
    }
    const bool is_type = head.starts_with("<!DOCTYPE");
    head.remove_prefix(is_type ? std::min(head.find_first_not_of(" \t\r\n", 9), head.size()) : 1);
    std::string_view name = head.substr(0, head.find_first_of(" \t\r\n/>["));
    name.remove_prefix(std::min(name.find(':') + 1, name.size()));
    if (!is_type) return {name, root.has_entities};
    const std::size_t stop = head.find_first_of("[>");
    if (stop == std::string_view::npos || head[stop] == '[') return {name, true};
    head.remove_prefix(stop + 1);
  }
}

}  // namespace chirp::cli::input
