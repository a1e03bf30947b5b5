#include "cli/input/other_formats.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "cli/input/cells.h"
#include "cli/input/json_members.h"
#include "cli/input/notations.h"
#include "cli/input/xml_reader.h"
#include "core/model/names.h"

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kFieldsShown = 3;
constexpr const char* kFormats =
    "Export the graph as GraphML, GEXF, GML, Pajek or a CSV of source and target";

struct Signature {
  std::string_view start;
  std::string_view what;
};
// Of files that hold no text, and of languages whose first word is their own.
constexpr std::array kSignatures{
    Signature{"%PDF-"sv, "a PDF"},
    Signature{"\x89PNG"sv, "a picture (PNG)"},
    Signature{"\xFF\xD8\xFF"sv, "a picture (JPEG)"},
    Signature{"GIF8"sv, "a picture (GIF)"},
    Signature{"SQLite format 3\0"sv, "a database of SQLite"},
    Signature{"PAR1"sv, "Parquet"},
    Signature{"ARROW1"sv, "Arrow"},
    Signature{"\x93NUMPY"sv, "an array of NumPy"},
    Signature{"\x89HDF"sv, "HDF5"},
    Signature{"MATLAB 5"sv, "a MAT-file"},
    Signature{"RDX"sv, "data of R"},
    Signature{"\x7F"
              "ELF"sv,
              "a program"},
    Signature{"\xD0\xCF\x11\xE0"sv, "an old document of Office"},
    Signature{"{\\rtf"sv, "RTF"},
    Signature{"nodedef>"sv, "GDF"},
    Signature{"nodedef "sv, "GDF"},
    Signature{"digraph "sv, "DOT of Graphviz"},
    Signature{"strict digraph"sv, "DOT of Graphviz"},
    Signature{"strict graph"sv, "DOT of Graphviz"},
    Signature{"dl n"sv, "DL of UCINET"},
    Signature{"@prefix "sv, "Turtle (RDF)"},
    Signature{"@relation "sv, "ARFF"},
};

std::string_view signature_of(std::string_view head) {
  for (const Signature& one : kSignatures) {
    if (head.starts_with(one.start)) return one.what;
  }
  // `graph friends {`
  if (!head.starts_with("graph")) return {};
  const std::size_t brace = head.find('{');
  return brace < head.find_first_of("[\n,") ? "DOT of Graphviz" : "";
}

std::vector<std::string> json_keys(std::string_view head) {
  std::vector<std::string> keys;
  // Of an array of objects, the first of them.
  head.remove_prefix(std::min(head.find('{'), head.size()));
  each_json_member(head, [&](std::string_view key, char) { keys.emplace_back(key); });
  return keys;
}

bool has(const std::vector<std::string>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

std::string json_advice(const std::vector<std::string>& keys) {
  if (has(keys, "from") && has(keys, "to")) {
    return "sets of who follows whom; if their ids are words, say --ids words";
  }
  if (has(keys, "elements")) return fmt::format("JSON of Cytoscape. {}", kFormats);
  if (has(keys, "graph") || has(keys, "graphs")) return fmt::format("a JSON Graph. {}", kFormats);
  const bool posts = has(keys, "text") || has(keys, "full_text") || has(keys, "content");
  if (posts) return "posts as JSON. `chirp load posts` reads these";
  return "JSON without nodes and links. A graph as JSON is one object with \"nodes\" and "
         "\"links\"; "
         "posts and users are read by `chirp load posts`";
}

// A list of what an XML document starts with.
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

std::string other_format(std::string_view head) {
  if (const std::string_view what = signature_of(head); !what.empty()) {
    return fmt::format("this looks like {}, which is not read. {}.", what, kFormats);
  }
  // Text has no zeros.
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
