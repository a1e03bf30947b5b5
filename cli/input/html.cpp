#include "cli/input/html.h"

#include <algorithm>
#include <exception>
#include <libxml/HTMLparser.h>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/html_links.h"
#include "cli/input/notations.h"
#include "cli/input/plain_text.h"
#include "store/shared_library.h"

namespace chirp::cli::input {
namespace {

struct LibxmlHtml {
  store::SharedLibrary library{CHIRP_LIBXML2, "Reading HTML"};
  decltype(&::htmlNewParserCtxt) new_parser = library.function("htmlNewParserCtxt");
  decltype(&::htmlFreeParserCtxt) free_parser = library.function("htmlFreeParserCtxt");
  decltype(&::htmlCtxtReadMemory) read_memory = library.function("htmlCtxtReadMemory");
  decltype(&::xmlStopParser) stop_parser = library.function("xmlStopParser");
};

const LibxmlHtml& libxml2() {
  static const LibxmlHtml opened;
  return opened;
}

struct FreeParser {
  void operator()(htmlParserCtxt* parser) const { libxml2().free_parser(parser); }
};

// Deeper lists are indented like this level.
constexpr std::size_t kIndentsShown = 4;

enum class TagKind : std::uint8_t {
  kOther,
  kBlock,
  kParagraph,
  kQuote,
  kPre,
  kList,
  kItem,
  kBreak,
  kCell,
  kImage,
  kLink,
  kSpan,
  kHidden
};

TagKind tag_of(std::string_view name) {
  static constexpr std::pair<TagKind, std::string_view> kTags[] = {
      {TagKind::kLink, " a "},
      {TagKind::kBlock, " address article dd div dt figcaption section tr "},
      {TagKind::kQuote, " blockquote "},
      {TagKind::kBreak, " br "},
      {TagKind::kParagraph, " dl figure h1 h2 h3 h4 h5 h6 hr p table "},
      {TagKind::kHidden, " head script style template title "},
      {TagKind::kImage, " img "},
      {TagKind::kItem, " li "},
      {TagKind::kList, " ol ul "},
      {TagKind::kPre, " pre "},
      {TagKind::kSpan, " span "},
      {TagKind::kCell, " td th "},
  };
  const std::string word = fmt::format(" {} ", name);
  for (const auto& [tag, names] : kTags) {
    if (names.find(word) != std::string_view::npos) return tag;
  }
  return TagKind::kOther;
}

std::string_view view(const xmlChar* text) {
  return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text);
}

class Attributes {
 public:
  explicit Attributes(const xmlChar** pairs) : pairs_(pairs) {}

  [[nodiscard]] std::string_view operator[](std::string_view name) const {
    for (const xmlChar** pair = pairs_; pair != nullptr && *pair != nullptr; pair += 2) {
      if (view(pair[0]) == name) return view(pair[1]);
    }
    return {};
  }
  [[nodiscard]] bool has_class(std::string_view name) const {
    std::string_view names = (*this)["class"];
    while (!names.empty()) {
      const std::size_t size = std::min(names.find(' '), names.size());
      if (names.substr(0, size) == name) return true;
      names.remove_prefix(std::min(size + 1, names.size()));
    }
    return false;
  }

 private:
  const xmlChar** pairs_;
};

bool starts_line(TagKind tag) {
  return tag == TagKind::kBlock || tag == TagKind::kParagraph || tag == TagKind::kQuote ||
         tag == TagKind::kPre || tag == TagKind::kList || tag == TagKind::kItem;
}

// Builds plain text from elements and characters, in document order.
class TextReader {
 public:
  explicit TextReader(const HtmlContext& context) : context_(context) {}

  void start(std::string_view name, const Attributes& attributes);
  void end(std::string_view name);
  void characters(std::string_view words);

  [[nodiscard]] bool is_too_deep() const { return depth_ > kHtmlDepthMax; }
  [[nodiscard]] std::string take() {
    end_link();
    return text_.take();
  }

 private:
  // Parts a block or a paragraph from other text.
  void part(TagKind tag);
  void start_item();
  void end_link();

  const HtmlContext& context_;
  PlainText text_;
  std::size_t depth_ = 0;
  std::size_t hidden_ = 0;  // open elements that are hidden
  std::size_t verbatim_ = 0;
  std::optional<HtmlLink> link_;
  std::vector<std::size_t> lists_;  // number of the next item; 0: without numbers
};

void TextReader::start(std::string_view name, const Attributes& attributes) {
  ++depth_;
  const TagKind tag = tag_of(name);
  if (tag == TagKind::kHidden) ++hidden_;
  if (hidden_ > 0) return;
  if (starts_line(tag) && link_ && !trimmed(link_->shown).empty()) end_link();
  part(tag);
  switch (tag) {
    case TagKind::kQuote:
      text_.quote();
      break;
    case TagKind::kPre:
      ++verbatim_;
      break;
    case TagKind::kList:
      lists_.push_back(name == "ol" ? 1 : 0);
      break;
    case TagKind::kItem:
      start_item();
      break;
    case TagKind::kBreak:
      link_ ? characters(" ") : text_.end_line();
      break;
    case TagKind::kCell:
      characters(" ");
      break;
    case TagKind::kImage:
      characters(attributes["alt"]);
      break;
    case TagKind::kLink:
      end_link();
      link_ = HtmlLink{.href = std::string(attributes["href"]),
                       .shown = {},
                       .mention = attributes.has_class("mention")};
      break;
    case TagKind::kSpan:
      if (link_ && attributes.has_class("invisible")) link_->shortened = true;
      break;
    default:
      break;
  }
}

void TextReader::part(TagKind tag) {
  const bool inner_list = tag == TagKind::kList && !lists_.empty();
  if (tag == TagKind::kBlock || inner_list) {
    text_.block();
  } else if (tag == TagKind::kParagraph || tag == TagKind::kQuote || tag == TagKind::kPre ||
             tag == TagKind::kList) {
    text_.paragraph();
  }
}

void TextReader::start_item() {
  const std::size_t inside = lists_.empty() ? 0 : lists_.size() - 1;
  std::string marker(2 * std::min(inside, kIndentsShown), ' ');
  if (lists_.empty() || lists_.back() == 0) {
    marker += "- ";
  } else {
    marker += fmt::format("{}. ", lists_.back()++);
  }
  text_.item(std::move(marker));
}

void TextReader::end(std::string_view name) {
  depth_ -= depth_ > 0 ? 1 : 0;
  const TagKind tag = tag_of(name);
  if (tag == TagKind::kHidden) hidden_ -= hidden_ > 0 ? 1 : 0;
  if (hidden_ > 0) return;
  if (tag == TagKind::kList && !lists_.empty()) lists_.pop_back();
  part(tag);
  switch (tag) {
    case TagKind::kItem:
      text_.block();
      break;
    case TagKind::kQuote:
      text_.unquote();
      break;
    case TagKind::kPre:
      verbatim_ -= verbatim_ > 0 ? 1 : 0;
      break;
    case TagKind::kLink:
      end_link();
      break;
    default:
      break;
  }
}

void TextReader::characters(std::string_view words) {
  if (hidden_ > 0) return;
  if (link_) {
    link_->shown += words;
  } else if (verbatim_ > 0) {
    text_.verbatim(words);
  } else {
    text_.flow(words);
  }
}

void TextReader::end_link() {
  if (!link_) return;
  const HtmlLink link = *std::exchange(link_, std::nullopt);
  constexpr std::string_view kWhite = " \t\r\n\f";
  if (link.shown.find_first_of(kWhite) == 0) text_.flow(" ");
  text_.flow(text_of_link(link, context_));
  if (!link.shown.empty() && kWhite.find(link.shown.back()) != std::string_view::npos) {
    text_.flow(" ");
  }
}

// Passes the library's events to a reader. Exceptions must not pass through the library.
class Parse {
 public:
  explicit Parse(const HtmlContext& context) : reader_(context), parser_(libxml2().new_parser()) {
    if (!parser_) throw std::bad_alloc();
    xmlSAXHandler found{};
    found.startElement = [](void* self, const xmlChar* name, const xmlChar** attributes) {
      static_cast<Parse*>(self)->guarded(
          [&](TextReader& reader) { reader.start(view(name), Attributes(attributes)); });
    };
    found.endElement = [](void* self, const xmlChar* name) {
      static_cast<Parse*>(self)->guarded([&](TextReader& reader) { reader.end(view(name)); });
    };
    found.characters = [](void* self, const xmlChar* words, int size) {
      static_cast<Parse*>(self)->guarded([&](TextReader& reader) {
        reader.characters({reinterpret_cast<const char*>(words), static_cast<std::size_t>(size)});
      });
    };
    found.ignorableWhitespace = found.characters;
    *parser_->sax = found;
    parser_->userData = this;
  }

  HtmlText run(const std::string& html) {
    // The encoding is given, whatever the text declares; nothing is fetched.
    libxml2().read_memory(parser_.get(), html.data(), static_cast<int>(html.size()), nullptr,
                          "UTF-8",
                          HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                              HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
    if (failure_) std::rethrow_exception(failure_);
    if (parser_->errNo == XML_ERR_NO_MEMORY) throw std::bad_alloc();
    if (reader_.is_too_deep()) {
      return {{}, fmt::format("the HTML is nested deeper than {} elements", kHtmlDepthMax)};
    }
    return {reader_.take()};
  }

 private:
  template <class Work>
  void guarded(const Work& work) {
    if (failure_ || reader_.is_too_deep()) return;
    try {
      work(reader_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_ || reader_.is_too_deep()) libxml2().stop_parser(parser_.get());
  }

  TextReader reader_;
  std::unique_ptr<htmlParserCtxt, FreeParser> parser_;
  std::exception_ptr failure_;
};

}  // namespace

HtmlText text_of_html(std::string_view html, const HtmlContext& context) {
  if (html.size() > kHtmlBytesMax) {
    return {{}, fmt::format("the HTML has more than {} KiB", kHtmlBytesMax >> 10)};
  }
  std::string whole(html);
  std::erase(whole, '\0');  // the library would stop at a zero
  const auto mentions = context.mentions.first(std::min(context.mentions.size(), kHtmlMentionsMax));
  const HtmlContext bounded{.mentions = mentions, .home = context.home};
  return Parse(bounded).run(whole);
}

}  // namespace chirp::cli::input
