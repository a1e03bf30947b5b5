#include "cli/input/other_formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/json_values.h"
#include "cli/input/notations.h"
#include "cli/input/xml_reader.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kFieldsShown = 3;
constexpr const char* kFormats =
    "Export the graph as GraphML, GEXF, GML, Pajek or a CSV of source and target";

// Binary files, and languages with a characteristic first word.
struct Signature {
  std::string_view start;  // in lower case
  std::string_view what;
  std::string_view advice = "save its table as CSV, or its records as JSON Lines";
};
constexpr std::string_view kNoText = "it has no text";
constexpr std::string_view kPage = "get the data that the page shows, as JSON or CSV";
constexpr std::array kSignatures{
    Signature{"%pdf-"sv, "a PDF"},
    Signature{"\x89png"sv, "a picture", kNoText},
    Signature{"\xFF\xD8\xFF"sv, "a picture", kNoText},
    Signature{"gif8"sv, "a picture", kNoText},
    Signature{"sqlite format 3"sv, "an SQLite database", "export the table as CSV"},
    Signature{"par1"sv, "a Parquet file", "convert it to CSV or JSON Lines"},
    Signature{"arrow1"sv, "an Arrow file", "convert it to CSV or JSON Lines"},
    Signature{"\x93numpy"sv, "an array of NumPy"},
    Signature{"\x89hdf"sv, "HDF5"},
    Signature{"matlab 5"sv, "a MAT-file"},
    Signature{"rdx"sv, "data of R"},
    Signature{"\x7F"
              "elf"sv,
              "a program", kNoText},
    Signature{"\xD0\xCF\x11\xE0"sv, "an old document of Office"},
    Signature{"{\\rtf"sv, "an RTF document"},
    Signature{"<!doctype html"sv, "a web page", kPage},
    Signature{"<html"sv, "a web page", kPage},
    Signature{"window.ytd."sv, "a file of a Twitter archive",
              "`chirp load archive` takes the whole archive"},
    Signature{"nodedef>"sv, "GDF"},
    Signature{"nodedef "sv, "GDF"},
    Signature{"digraph "sv, "DOT of Graphviz"},
    Signature{"strict digraph"sv, "DOT of Graphviz"},
    Signature{"strict graph"sv, "DOT of Graphviz"},
    Signature{"dl n"sv, "DL of UCINET"},
    Signature{"@prefix "sv, "Turtle (RDF)"},
    Signature{"@relation "sv, "ARFF"},
};

bool begins_with(std::string_view head, std::string_view start) {
  return head.size() >= start.size() &&
         std::equal(start.begin(), start.end(), head.begin(), [](char known, char c) {
           return known == c || known == std::tolower(static_cast<unsigned char>(c));
         });
}

bool holds(std::string_view head, std::string_view word) {
  return head.find(word) != std::string_view::npos;
}

std::optional<Signature> signature_of(std::string_view head) {
  const auto known = std::ranges::find_if(
      kSignatures, [&](const Signature& one) { return begins_with(head, one.start); });
  if (known != kSignatures.end()) return *known;
  // `graph friends {`
  const std::size_t brace = head.find('{');
  const bool is_dot = head.starts_with("graph") && brace < head.find_first_of("[\n,");
  return is_dot ? std::optional(Signature{"graph", "DOT of Graphviz"}) : std::nullopt;
}

std::vector<std::string> json_keys(std::string_view head) {
  std::vector<std::string> keys;
  // The first object represents an array.
  head.remove_prefix(std::min(head.find('{'), head.size()));
  each_json_member(head, [&](std::string_view key, char) { keys.emplace_back(key); });
  return keys;
}

bool has(const std::vector<std::string>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

std::string json_advice(const std::vector<std::string>& keys) {
  if (has(keys, "from") && has(keys, "to")) {
    return "follow sets; if their ids are words, say --ids words";
  }
  if (has(keys, "elements")) return fmt::format("JSON of Cytoscape. {}", kFormats);
  if (has(keys, "graph") || has(keys, "graphs")) return fmt::format("a JSON Graph. {}", kFormats);
  const bool posts = has(keys, "text") || has(keys, "full_text") || has(keys, "content");
  if (posts) return "posts as JSON. `chirp load posts` reads these";
  return "JSON without nodes and links. A graph as JSON is one object with \"nodes\" and "
         "\"links\"; "
         "posts and users are read by `chirp load posts`";
}

// Lists the first elements of an XML document.
std::string elements_in(std::string_view head) {
  std::string elements;
  std::size_t shown = 0;
  for (std::size_t at = head.find('<'); at < head.size() && shown < kFieldsShown;
       at = head.find('<', at + 1)) {
    const std::string_view name =
        head.substr(at + 1, head.find_first_of(" \t\r\n/>", at + 1) - at - 1);
    if (name.empty() || name.front() == '!' || name.front() == '?' || name.front() == '/') continue;
    elements += fmt::format("{}<{}>", shown++ == 0 ? "" : ", ", printable(name, 30));
  }
  return elements;
}

}  // namespace

std::string fields_found(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  std::vector<std::string> fields;
  if (head.starts_with('{') || head.starts_with('[')) {
    fields = json_keys(head);
  } else if (head.starts_with('<')) {
    return elements_in(head);
  } else {
    const std::string_view row = trimmed(head.substr(0, head.find('\n')));
    for (const std::string_view cell : cells_of(row, separator_in(row))) fields.emplace_back(cell);
  }
  std::string shown;
  for (std::size_t i = 0; i < std::min(fields.size(), kFieldsShown); ++i) {
    shown += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", printable(fields[i], 30));
  }
  return fields.size() > kFieldsShown ? shown + ", …" : shown;
}

std::optional<std::string> looks_like(std::string_view head) {
  constexpr std::size_t kLookedAt = 1024;
  head = head.substr(0, kLookedAt);
  if (const auto known = signature_of(head)) {
    return fmt::format("{}; {}", known->what, known->advice);
  }
  // A CAR file begins with a length, and a map of roots and a version.
  if (holds(head.substr(0, 16), "eroots")) {
    return "a repository of Bluesky (CAR), which is not read; load its posts as JSON Lines with "
           "uri, author, text, created_at and reply_to, or commits of Jetstream";
  }
  if (!head.starts_with('<')) return std::nullopt;
  const std::string_view root = xml_root(head).name;
  const char* const what = root == "graphml" ? "GraphML" : root == "gexf" ? "GEXF" : "XML";
  return fmt::format("{}; this command reads CSV, JSON or JSON Lines", what);
}

std::string other_format(std::string_view head) {
  const auto known = head.starts_with('<') ? std::nullopt : signature_of(head);
  if (known)
    return fmt::format("this looks like {}, which is not read. {}.", known->what, kFormats);
  // Text contains no zeros.
  if (head.substr(0, 512).find('\0') != std::string_view::npos) {
    return fmt::format("this looks like a file without text, which is not read. {}.", kFormats);
  }
  const std::string_view text =
      head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  if (text.starts_with('<') && !xml_root(text).name.empty()) {
    const std::string_view root = xml_root(text).name;
    const bool page = plain_name(root) == "html";
    return fmt::format(
        "this looks like {}, with {}. {}.",
        page ? "a web page (HTML)" : fmt::format("XML of the kind \"{}\"", printable(root, 30)),
        elements_in(text), kFormats);
  }
  const bool json = text.starts_with('{') || text.starts_with('[');
  const auto keys = json ? json_keys(text) : std::vector<std::string>();
  if (keys.empty()) return {};
  return fmt::format("this looks like {}. It has the fields {}.", json_advice(keys),
                     fields_found(text));
}

}  // namespace chirp::cli::input
