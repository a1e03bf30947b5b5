#include "cli/input/ids.h"

#include <charconv>
#include <cstddef>

#include <fmt/format.h>

#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

// `-5`, `0.5`, `1e9`: numbers that are not ids.
bool is_other_number(std::string_view cell) {
  if (cell.find_first_not_of("0123456789") == std::string_view::npos) return false;
  if (std::string_view("+-.0123456789").find(cell.front()) == std::string_view::npos) return false;
  if (cell.front() == '+') cell.remove_prefix(1);
  double value = 0;
  const char* const end = cell.data() + cell.size();
  return std::from_chars(cell.data(), end, value).ptr == end;
}

}  // namespace

bool is_cut_number(std::string_view cell) {
  cell = trimmed(cell);
  const std::size_t sign = cell.find_first_of("eE");
  if (sign == 0 || sign == std::string_view::npos || !cell.substr(sign + 1).starts_with('+')) {
    return false;
  }
  const std::string_view power = cell.substr(sign + 2);
  std::string_view digits = cell.substr(0, sign);
  const auto are_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (const std::size_t point = digits.find_first_of(".,"); point != std::string_view::npos) {
    if (!are_digits(digits.substr(point + 1))) return false;
    digits = digits.substr(0, point);
  }
  return are_digits(digits) && are_digits(power);
}

void RoundedIds::see(std::string_view cell) {
  constexpr std::size_t kKept = 15;
  cell = trimmed(cell);
  if (cell.size() <= kKept || cell.find_first_not_of("0123456789") != std::string_view::npos)
    return;
  ++long_;
  if (cell.find_first_not_of('0', kKept) == std::string_view::npos) ++rounded_;
}

std::string RoundedIds::warning() const {
  constexpr std::uint64_t kFew = 2;
  if (long_ < kFew || rounded_ * 2 <= long_) return {};
  return fmt::format(
      "{} of the {} ids with 16 digits or more end in zeros after the fifteenth digit: a "
      "spreadsheet has rounded them, so different ids may have become one. Load the original file, "
      "or export it with the ids as text",
      rounded_, long_);
}

bool is_plain_word(std::string_view cell) {
  return !is_cut_number(cell) && can_be_source_word(cell) &&
         cell.find_first_of(" \"") == std::string_view::npos && !says_nothing(cell) &&
         !is_other_number(cell);
}

std::optional<SourceId> IdCells::any(std::string_view cell) const {
  if (const auto number = parse_source_id(cell)) return number;
  cell = trimmed(cell);
  if (is_cut_number(cell) || kind_ == IdKind::kNumbers || !can_be_source_word(cell))
    return std::nullopt;
  return words_->user_id_of(cell);
}

std::optional<SourceId> IdCells::user(std::string_view cell) const {
  if (const auto number = parse_source_id(cell)) return number;
  cell = trimmed(cell);
  return takes_word(cell) ? std::optional(words_->user_id_of(cell)) : std::nullopt;
}

bool IdCells::takes_word(std::string_view cell) const {
  return kind_ == IdKind::kWords
             ? can_be_source_word(cell) && !says_nothing(cell) && !is_cut_number(cell)
             : kind_ == IdKind::kAuto && is_plain_word(cell);
}

bool IdCells::takes_post_words() const {
  return kind_ == IdKind::kWords || (kind_ == IdKind::kAuto && post_words_.value_or(false));
}

std::optional<SourceId> IdCells::post(std::string_view cell) {
  const auto number = parse_source_id(cell);
  if (!post_words_ && kind_ == IdKind::kAuto) {
    if (!number && !is_plain_word(trimmed(cell))) return std::nullopt;
    post_words_ = !number;
  }
  return number ? number : link(cell);
}

std::optional<SourceId> IdCells::link(std::string_view cell) const {
  if (const auto number = parse_source_id(cell)) return number;
  cell = trimmed(cell);
  // Posts are not accounts, even if their ids look like it.
  return takes_post_words() && takes_word(cell) ? std::optional(words_->id_of(cell)) : std::nullopt;
}

namespace {

constexpr std::string_view kCut =
    "a number that a spreadsheet has cut: export the file with the ids as text";

}  // namespace

std::string_view IdCells::expected_user(std::string_view cell) const {
  if (is_cut_number(cell)) return kCut;
  return kind_ == IdKind::kNumbers ? "not a whole number between 0 and 9223372036854775807"
                                   : "not a number or a word";
}

std::string_view IdCells::expected_post(std::string_view cell) const {
  if (is_cut_number(cell)) return kCut;
  return takes_post_words() ? "not a number or a word"
                            : "not a whole number between 0 and 9223372036854775807";
}

SourceId MadeUpIds::id(std::string_view author, Time when, std::string_view text) {
  constexpr std::size_t kRemembered = std::size_t{8} << 20;
  const SourceId id = load::made_up_post(author, when, text, 0);
  if (equal_rows_.size() >= kRemembered && !equal_rows_.contains(id.value)) return id;
  const std::uint32_t before = equal_rows_[id.value]++;
  return before == 0 ? id : load::made_up_post(author, when, text, before);
}

}  // namespace chirp::cli::input
