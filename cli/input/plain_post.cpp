#include "cli/input/plain_post.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/html.h"
#include "cli/input/html_links.h"
#include "cli/input/json_fields.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {

namespace dom = simdjson::dom;

std::string below_heading(std::string_view heading, std::string text) {
  std::string all(trimmed(heading));
  if (!all.empty() && !text.empty()) all += "\n\n";
  return all.empty() ? text : all + text;
}

PostText plain_text(Escapes escapes, std::string_view heading, std::string_view text) {
  const auto plain = [&](std::string_view said) {
    return escapes == Escapes::kHtml ? html_unescaped(said) : std::string(said);
  };
  if (escapes != Escapes::kMarkup) return {.text = below_heading(plain(heading), plain(text))};
  HtmlText read = text_of_html(text);
  return {.text = below_heading(heading, std::move(read.text)), .problem = std::move(read.problem)};
}

PostText text_of_status(const dom::object& status, std::string_view html) {
  std::vector<HtmlMention> mentions;
  dom::array all;
  if (status["mentions"].get(all) == simdjson::SUCCESS) {
    for (const dom::element one : all) {
      dom::object mention;
      if (one.get(mention) != simdjson::SUCCESS) continue;
      mentions.push_back({.href = std::string(text_in(mention, "url")),
                          .name = fmt::format("@{}", text_in(mention, "acct"))});
    }
  }
  const std::string home = host_of(text_in(status, "url"));
  HtmlText text = text_of_html(html, {.mentions = mentions, .home = home});
  return {.text = std::move(text.text), .problem = std::move(text.problem)};
}

}  // namespace chirp::cli::input
