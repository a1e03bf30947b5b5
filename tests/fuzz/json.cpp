// JSON: bodies of requests, and posts in files. A body that is taken is taken with blanks around it
// and as a member of another, and a file that holds it holds one value.
#include <array>
#include <string>

#include "cli/input/json_values.h"
#include "cli/input/notations.h"
#include "core/model/utf8.h"
#include "server/api/json_body.h"
#include "server/limits.h"
#include "tests/fuzz/posts_said.h"

namespace chirp::fuzz {
namespace {

using api::JsonBody;
using api::Need;

// Whether it is taken as the body of a request; its fields are asked for in every way.
bool is_taken(Bytes text) {
  try {
    JsonBody body(text);
    const auto words = body.string("text", Need::kOptional);
    if (words) holds(utf8::is_valid(*words), "texts are UTF-8");
    const auto number = body.integer("n", Need::kRequired, -5, 5);
    if (number) holds(*number >= -5 && *number <= 5, "numbers lie within their bounds");
    const auto ids = body.ids("ids", Need::kRequired, 1, 3);
    if (ids) holds(ids->size() <= 3 && !ids->empty(), "lists are as long as they may be");
    (void)body.strings("text", Need::kOptional, 0, 2);
    (void)body.boolean("yes", Need::kOptional);
    (void)body.id("id", Need::kOptional);
    holds(!body.is_null("id") || body.has("id"), "what is null is there");
    try {
      body.check();
      holds(number.has_value() && ids.has_value(), "what is required is there");
    } catch (const api::Problem& problem) {
      holds(problem.status == 422 && !problem.errors.empty(), "faults of fields are a 422");
    }
    return true;
  } catch (const api::Problem& problem) {
    holds(problem.status == 400 && !problem.detail.empty(), "what can't be read is a 400");
    return false;
  }
}

bool is_deep(Bytes text) {
  return std::ranges::count(text, '{') + std::ranges::count(text, '[') >=
         static_cast<std::ptrdiff_t>(limits::kJsonDepthMax);
}

void check_taken(Bytes text) {
  const std::string whole(text);
  holds(is_taken(" \n" + whole + "\t "), "blanks around a body mean nothing");
  if (!is_deep(text)) {
    holds(is_taken("{\"in\":" + whole + "}"), "a body is taken as a member of another");
  }
  (void)read_both_ways(text,
                       [&](cli::input::TextBuffer& buffer, cli::input::BadLines&, Said& said) {
                         cli::input::JsonValues values(buffer);
                         const auto value = values.next();
                         holds(value && value->problem.empty(), "a body is a value in a file");
                         said.emplace_back(value->text);
                         holds(!values.next(), "a body is one value in a file");
                       });
}

}  // namespace

void json(Bytes input) {
  if (is_taken(input) && !input.empty()) {
    // A byte order mark counts only at the very beginning.
    constexpr Bytes kMark = "\xEF\xBB\xBF";
    check_taken(input.starts_with(kMark) ? input.substr(kMark.size()) : input);
  }
  // One format an input, since a reader's buffers are large.
  using Format = cli::input::PostFormat;
  constexpr std::array kFormats{Format::kAuto, Format::kJsonLines, Format::kTwitter};
  (void)posts_said(input, kFormats[input.size() % kFormats.size()]);
}

}  // namespace chirp::fuzz
