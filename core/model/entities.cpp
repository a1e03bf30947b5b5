#include "core/model/entities.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/limits.h"
#include "core/model/utf8.h"

namespace chirp {
namespace {

struct Point {
  std::int32_t code_point = 0;
  std::size_t byte = 0;  // where it begins
};

bool is_ascii_word(std::int32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool is_word(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  const utf8::Kind kind = utf8::kind_of(c);
  return kind != utf8::Kind::kOther;
}

bool is_tag(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  const utf8::Kind kind = utf8::kind_of(c);
  return kind != utf8::Kind::kOther && kind != utf8::Kind::kNumber;
}

bool is_letter(std::int32_t c) {
  if (c < 0x80) return is_ascii_word(c) && c > '9' && c != '_';
  return utf8::kind_of(c) == utf8::Kind::kLetter;
}

// After which no entity begins.
bool binds(std::int32_t before) {
  return before == '@' || before == '#' || before == '&' || before == '$' || before == '%' ||
         before == '+' || before == '=' || is_word(before);
}

bool ends_url(std::int32_t c) {
  return c == '<' || c == '>' || c == '"' || utf8::is_blank(c) || utf8::is_control(c);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    points_.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      const utf8::Decoded next = utf8::decode(text.substr(at));
      points_.push_back({next.code_point, at});
      at += next.bytes;
    }
  }

  Entities read() {
    Entities found;
    while (at_ < points_.size()) {
      if (const std::size_t end = url_end(); end != 0) {
        at_ = end;
        continue;
      }
      const std::int32_t c = code_point(at_);
      const bool open = at_ == 0 || !binds(code_point(at_ - 1));
      if (open && c == '@') {
        mention(found);
      } else if (open && c == '#') {
        hashtag(found);
      }
      ++at_;
    }
    return found;
  }

 private:
  [[nodiscard]] std::int32_t code_point(std::size_t at) const { return points_[at].code_point; }
  [[nodiscard]] std::string_view text(std::size_t begin, std::size_t end) const {
    const std::size_t last = end < points_.size() ? points_[end].byte : text_.size();
    return text_.substr(points_[begin].byte, last - points_[begin].byte);
  }
  // The first from `begin` on that is not of the kind.
  template <class Is>
  [[nodiscard]] std::size_t run_end(std::size_t begin, Is is) const {
    std::size_t end = begin;
    while (end < points_.size() && is(code_point(end))) ++end;
    return end;
  }

  [[nodiscard]] bool stands_here(std::string_view word) const {
    if (points_.size() - at_ < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const std::int32_t c = code_point(at_ + i);
      if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) return false;
    }
    return true;
  }

  // One past the last character of a host name that begins here: labels of letters, digits and
  // hyphens with dots between them, the last one of letters, two at least. 0 if there is none.
  [[nodiscard]] std::size_t host_end() const {
    std::size_t labels = 0;
    for (std::size_t begin = at_;; ++labels) {
      const std::size_t end =
          run_end(begin, [](std::int32_t c) { return c == '-' || (c != '_' && is_tag(c)); });
      if (end == begin) return 0;
      if (end == points_.size() || code_point(end) != '.') {
        const bool letters = run_end(begin, is_letter) == end;
        return labels > 0 && letters && end - begin >= 2 ? end : 0;
      }
      begin = end + 1;
    }
  }

  // One past the end of the URL that begins here, or 0.
  [[nodiscard]] std::size_t url_end() const {
    if (at_ > 0) {
      const std::int32_t before = code_point(at_ - 1);
      if (is_word(before) || before == '@' || before == '-' || before == '.') return 0;
    }
    if (!is_word(code_point(at_))) return 0;
    bool is_url = stands_here("http://") || stands_here("https://") || stands_here("www.");
    if (!is_url) {
      const std::size_t end = host_end();
      is_url = end != 0 && end < points_.size() && code_point(end) == '/';
    }
    return is_url ? run_end(at_, [](std::int32_t c) { return !ends_url(c); }) : 0;
  }

  void mention(Entities& found) {
    const std::size_t end = run_end(at_ + 1, is_ascii_word);
    const std::size_t length = end - at_ - 1;
    if (length < 1 || length > limits::kUsernameMax) return;
    if (end < points_.size() && (code_point(end) == '@' || is_word(code_point(end)))) return;
    found.mentions.push_back({std::string(text(at_ + 1, end)), at_, end});
  }

  void hashtag(Entities& found) {
    const std::size_t begin = at_ + 1;
    const std::size_t end = run_end(begin, is_tag);
    if (end == begin || end - begin > limits::kTagMax) return;
    if (utf8::kind_of(code_point(begin)) == utf8::Kind::kMark) return;
    if (end < points_.size() && is_word(code_point(end))) return;
    if (run_end(begin, [](std::int32_t c) { return !is_letter(c); }) >= end) return;
    found.hashtags.push_back({utf8::case_folded(text(begin, end)), at_, end});
  }

  std::string_view text_;
  std::vector<Point> points_;
  std::size_t at_ = 0;
};

}  // namespace

Entities entities_in(std::string_view text) {
  if (text.find_first_of("@#") == std::string_view::npos) return {};
  return Reader(text).read();
}

std::vector<std::string> tags_in(std::string_view text) {
  std::vector<std::string> tags;
  if (text.find('#') == std::string_view::npos) return tags;
  for (Hashtag& hashtag : entities_in(text).hashtags) {
    if (std::find(tags.begin(), tags.end(), hashtag.tag) == tags.end()) {
      tags.push_back(std::move(hashtag.tag));
    }
  }
  return tags;
}

}  // namespace chirp
