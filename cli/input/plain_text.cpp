#include "cli/input/plain_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/input/html.h"
#include "cli/input/html_links.h"
#include "cli/input/json_fields.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

constexpr std::string_view kWhite = " \t\n\r\f";
// Deeper quotes are shown like this level.
constexpr std::size_t kQuotesShown = 4;

}  // namespace

void PlainText::flow(std::string_view words) {
  while (!words.empty()) {
    const std::size_t begin = words.find_first_not_of(kWhite);
    if (begin != 0) blank_ = true;
    if (begin == std::string_view::npos) return;
    words.remove_prefix(begin);
    const std::size_t size = std::min(words.find_first_of(kWhite), words.size());
    lead();
    text_ += words.substr(0, size);
    words.remove_prefix(size);
  }
}

void PlainText::verbatim(std::string_view words) {
  while (!words.empty()) {
    const std::size_t size = std::min(words.find('\n'), words.size());
    if (size > 0) {
      lead();
      text_ += words.substr(0, size);
    }
    if (size == words.size()) return;
    end_line();
    words.remove_prefix(size + 1);
  }
}

void PlainText::block() {
  if (marker_.empty()) breaks_ = std::max<std::size_t>(breaks_, 1);
}

void PlainText::paragraph() {
  if (marker_.empty()) breaks_ = std::max<std::size_t>(breaks_, 2);
}

void PlainText::item(std::string marker) {
  block();
  marker_ = std::move(marker);
}

void PlainText::lead() {
  const bool begins = text_.empty() || breaks_ > 0;
  if (!text_.empty()) text_.append(breaks_, '\n');
  if (begins) {
    for (std::size_t i = 0; i < std::min(quotes_, kQuotesShown); ++i) text_ += "> ";
  } else if (blank_) {
    text_ += ' ';
  }
  text_ += marker_;
  marker_.clear();
  breaks_ = 0;
  blank_ = false;
}

std::string PlainText::take() {
  text_.erase(text_.find_last_not_of(kWhite) + 1);
  return std::move(text_);
}

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
