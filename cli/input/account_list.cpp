#include "cli/input/account_list.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/input/notations.h"
#include "core/model/names.h"
#include "core/model/source_key.h"
#include "core/model/utf8.h"

namespace chirp::cli::input {

using load::Tie;

namespace {

struct NamedTie {
  std::string_view stem;  // prefix of the file's name
  Tie tie;
};
constexpr std::array kTies{
    NamedTie{"followers", Tie::kFollowedBy}, NamedTie{"following", Tie::kFollows},
    NamedTie{"follows", Tie::kFollows},      NamedTie{"blocked_accounts", Tie::kBlocks},
    NamedTie{"blocks", Tie::kBlocks},        NamedTie{"muted_accounts", Tie::kMutes},
    NamedTie{"mutes", Tie::kMutes}};

constexpr std::string_view kDomains =
    "it lists blocked domains, not accounts: users here have no domain";
constexpr std::string_view kBookmarks =
    "it lists bookmarked posts, not accounts: there are no bookmarks here";
constexpr std::string_view kLists =
    "it lists the members of lists, not followed accounts: there are no lists here";
constexpr std::string_view kUnknown =
    "the file does not say whether its accounts are followed, blocked or muted: give it the name "
    "that Mastodon gives it, following_accounts.csv, blocked_accounts.csv or muted_accounts.csv";
constexpr std::string_view kNoList = "it is not a list of accounts such as mira@example.org";

std::string small(std::string_view text) { return utf8::ascii_lower(trimmed(text)); }

// `user@domain`, without a leading `@`; empty if it is not such an address.
std::string_view address_in(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('@')) cell.remove_prefix(1);
  const std::size_t at = cell.find('@');
  const bool sound = at != std::string_view::npos && at > 0 && at + 1 < cell.size() &&
                     cell.find('@', at + 1) == std::string_view::npos &&
                     cell.find_first_of(" \t\r\n/") == std::string_view::npos;
  return sound && can_be_source_word(cell) ? cell : std::string_view();
}

// The reason if a first row without column names belongs to another of Mastodon's lists.
std::string_view other_list(std::span<const std::string_view> cells) {
  if (cells[0].find("://") != std::string_view::npos) return kBookmarks;
  if (cells.size() == 2 && address_in(cells[0]).empty() && !address_in(cells[1]).empty()) {
    return kLists;
  }
  const std::string first = small(cells[0]);
  return first == "#domain" || first == "domain" ? kDomains : std::string_view();
}

// The reason why a first row lists no accounts, if neither a header nor a file name says it does.
std::string_view no_account(std::string_view cell) {
  if (cell.find('@') != std::string_view::npos) return kUnknown;
  return cell.find('.') != std::string_view::npos ? kDomains : kNoList;
}

}  // namespace

AccountList::AccountList(TextBuffer& buffer, std::string_view stem)
    : rows_(buffer, {.separator = ','}), first_(rows_.next()) {
  if (!first_) {
    refusal_ = "it is empty";
  } else {
    look(small(stem));
  }
}

void AccountList::look(std::string_view stem) {
  const auto* const named =
      std::ranges::find_if(kTies, [&](const NamedTie& one) { return stem.starts_with(one.stem); });
  bool told = named != kTies.end();
  if (told) tie_ = named->tie;
  if (!first_->problem.empty() || first_->cells.empty()) {
    if (!told) refusal_ = kNoList;
    return;
  }
  header_ = small(first_->cells[0]) == "account address";
  if (header_) {
    told = read_header() || told;
    if (!told) refusal_ = kUnknown;
    return;
  }
  refusal_ = other_list(first_->cells);
  if (refusal_.empty() && !told) refusal_ = no_account(first_->cells[0]);
}

bool AccountList::read_header() {
  bool told = false;
  for (std::size_t i = 1; i < first_->cells.size(); ++i) {
    const std::string column = small(first_->cells[i]);
    if (column == "show boosts") {
      boosts_ = i;
      tie_ = Tie::kFollows;
      told = true;
    } else if (column == "hide notifications") {
      tie_ = Tie::kMutes;
      told = true;
    }
  }
  return told;
}

std::string AccountList::what() const {
  switch (tie_) {
    case Tie::kFollows:
      return "accounts that are followed";
    case Tie::kFollowedBy:
      return "accounts that follow";
    case Tie::kBlocks:
      return "accounts that are blocked";
    case Tie::kMutes:
      break;
  }
  return "accounts that are muted";
}

std::optional<std::string> AccountList::take(TableRow& row, const Sink& sink) const {
  if (row.bad_line != 0) {
    row.line = row.bad_line;
    return row.bad_text;
  }
  const std::string_view address = address_in(row.cells[0]);
  if (address.empty()) {
    return fmt::format("expected an address such as mira@example.org, found \"{}\"",
                       printable(row.cells[0], 60));
  }
  const bool hiding =
      boosts_ > 0 && boosts_ < row.cells.size() && small(row.cells[boosts_]) == "false";
  sink({.address = std::string(address), .hiding_reposts = hiding});
  return std::nullopt;
}

std::uint64_t AccountList::read(std::string_view name, BadLines& bad, const Sink& sink) {
  std::uint64_t accounts = 0;
  if (header_) first_ = rows_.next();
  if (!first_) return accounts;
  rows_.read_from(*std::move(first_), name, bad, [&](TableRow& row) {
    auto why = take(row, sink);
    if (!why) ++accounts;
    return why;
  });
  return accounts;
}

}  // namespace chirp::cli::input
