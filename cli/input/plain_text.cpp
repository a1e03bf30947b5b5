#include "cli/input/plain_text.h"

#include <algorithm>
#include <utility>

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

}  // namespace chirp::cli::input
