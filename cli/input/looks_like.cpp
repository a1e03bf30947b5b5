#include "cli/input/looks_like.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace chirp::cli::input {
namespace {

using namespace std::string_view_literals;

struct Known {
  std::string_view begin;
  const char* what;
  const char* advice;
};
constexpr const char* kTable = "save its table as CSV, or its records as JSON Lines";
constexpr std::array kKnown{
    Known{"%PDF-"sv, "a PDF", kTable},
    Known{"{\\rtf"sv, "an RTF document", kTable},
    Known{"SQLite format 3"sv, "an SQLite database", "export the table as CSV"},
    Known{"PAR1"sv, "a Parquet file", "convert it to CSV or JSON Lines"},
    Known{"\x89PNG"sv, "a picture", "there is no text in it"},
    Known{"\xFF\xD8\xFF"sv, "a picture", "there is no text in it"},
    Known{"GIF8"sv, "a picture", "there is no text in it"},
    Known{"<!doctype html"sv, "a web page", "get the data that the page shows, as JSON or CSV"},
    Known{"<html"sv, "a web page", "get the data that the page shows, as JSON or CSV"},
    Known{"window.ytd."sv, "a file of a Twitter archive",
          "`chirp load archive` takes the whole archive"},
};

bool begins_with(std::string_view head, std::string_view begin) {
  return head.size() >= begin.size() &&
         std::equal(begin.begin(), begin.end(), head.begin(), [](char known, char c) {
           return known == c || known == std::tolower(static_cast<unsigned char>(c));
         });
}

bool holds(std::string_view head, std::string_view word) {
  return head.find(word) != std::string_view::npos;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::optional<std::string> looks_like(std::string_view head) {
  constexpr std::size_t kLookedAt = 1024;
  head = head.substr(0, kLookedAt);
  for (const Known& known : kKnown) {
    if (begins_with(head, known.begin)) return fmt::format("{}; {}", known.what, known.advice);
  }
  // The header of a CAR is a length, and a map of roots and a version.
  if (holds(head.substr(0, 16), "eroots"sv)) {
    return "a repository of Bluesky (CAR), which is not read; load its posts as JSON Lines with "
           "uri, author, text, created_at and reply_to, or commits of Jetstream";
  }
  if (!head.starts_with('<')) return std::nullopt;
  const char* const what = holds(head, "<graphml"sv) ? "GraphML"
                           : holds(head, "<gexf"sv)  ? "GEXF"
                                                     : "XML";
  return fmt::format("{}; here CSV, JSON or JSON Lines are read", what);
}

std::optional<OddWord> odd_word_in(std::string_view json, std::size_t column) {
  bool in_string = false;
  std::size_t lines = 0;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '\n') {
      ++lines;
      line_begin = at + 1;
      column = 0;
    } else if (in_string) {
      at += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (is_letter(c)) {
      std::size_t end = at;
      while (end < json.size() && is_letter(json[end])) ++end;
      const std::string_view word = json.substr(at, end - at);
      const bool is_number = word == "e" || word == "E";  // of a number such as 1e9
      if (!is_number && word != "true" && word != "false" && word != "null") {
        return OddWord{fmt::format("column {}: \"{}\" is not a value of JSON; null says that there "
                                   "is none",
                                   column + at - line_begin + 1, word.substr(0, 20)),
                       lines};
      }
      at = end - 1;
    }
  }
  return std::nullopt;
}

}  // namespace chirp::cli::input
