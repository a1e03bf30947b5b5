#include "cli/input/account_list.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/input/notations.h"
#include "core/model/names.h"
#include "core/model/source_key.h"

namespace chirp::cli::input {
namespace {

struct NamedTie {
  std::string_view stem;  // how the file's name begins
  AccountTie tie;
};
// The longer ones first.
constexpr std::array kTies{
    NamedTie{"followers", AccountTie::kFollowedBy},    NamedTie{"follow", AccountTie::kFollows},
    NamedTie{"blocked_accounts", AccountTie::kBlocks}, NamedTie{"blocks", AccountTie::kBlocks},
    NamedTie{"muted_accounts", AccountTie::kMutes},    NamedTie{"mutes", AccountTie::kMutes}};

constexpr std::string_view kDomains =
    "it lists domains that are blocked, and no accounts: nobody here is of a domain";
constexpr std::string_view kBookmarks =
    "it lists addresses of posts that are bookmarked, and no accounts: there are no bookmarks here";
constexpr std::string_view kLists =
    "it lists accounts by the names of lists, and doesn't say who is followed: there are no lists "
    "here";
constexpr std::string_view kUnknown =
    "nothing says how the account stands to those it lists: give it the name that Mastodon does, "
    "following_accounts.csv, blocked_accounts.csv or muted_accounts.csv";
constexpr std::string_view kNoList = "it is no list of accounts such as mira@example.org";

std::string small(std::string_view text) {
  std::string out(trimmed(text));
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// `user@domain`, without a sign before it; empty if it is none.
std::string_view address_in(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('@')) cell.remove_prefix(1);
  const std::size_t at = cell.find('@');
  const bool sound = at != std::string_view::npos && at > 0 && at + 1 < cell.size() &&
                     cell.find('@', at + 1) == std::string_view::npos &&
                     cell.find_first_of(" \t\r\n/") == std::string_view::npos;
  return sound && can_be_source_word(cell) ? cell : std::string_view();
}

// Why a first row that names no column lists no accounts.
std::string_view refusal_of(std::span<const std::string_view> cells) {
  if (cells[0].find("://") != std::string_view::npos) return kBookmarks;
  if (cells.size() == 2 && address_in(cells[0]).empty() && !address_in(cells[1]).empty()) {
    return kLists;
  }
  const std::string first = small(cells[0]);
  if (first == "#domain" || first == "domain") return kDomains;
  if (first.find('@') == std::string::npos) {
    return first.find('.') != std::string::npos ? kDomains : kNoList;
  }
  return {};
}

}  // namespace

AccountList::AccountList(TextBuffer& buffer, std::string_view stem)
    : rows_(buffer, {.separator = ','}), first_(rows_.next()) {
  if (!first_) {
    refusal_ = "it is empty";
  } else if (!first_->problem.empty() || first_->cells.empty()) {
    refusal_ = kNoList;
  } else {
    look(small(stem));
  }
}

void AccountList::look(std::string_view stem) {
  const auto* const named =
      std::ranges::find_if(kTies, [&](const NamedTie& one) { return stem.starts_with(one.stem); });
  if (named != kTies.end()) tie_ = named->tie;
  bool told = named != kTies.end();
  header_ = small(first_->cells[0]) == "account address";
  if (!header_) {
    refusal_ = refusal_of(first_->cells);
  } else {
    for (std::size_t i = 1; i < first_->cells.size(); ++i) {
      const std::string column = small(first_->cells[i]);
      if (column == "show boosts") {
        boosts_ = i;
        tie_ = AccountTie::kFollows;
        told = true;
      } else if (column == "hide notifications") {
        tie_ = AccountTie::kMutes;
        told = true;
      }
    }
  }
  if (!told && refusal_.empty()) refusal_ = kUnknown;
}

std::string AccountList::what() const {
  switch (tie_) {
    case AccountTie::kFollows:
      return "accounts that are followed";
    case AccountTie::kFollowedBy:
      return "accounts that follow";
    case AccountTie::kBlocks:
      return "accounts that are blocked";
    case AccountTie::kMutes:
      break;
  }
  return "accounts that are muted";
}

std::string AccountList::take(const CsvRow& row, const Sink& sink) const {
  if (!row.problem.empty()) return row.problem;
  if (row.bad_line != 0) return row.bad_text;
  const std::string_view address = address_in(row.cells[0]);
  if (address.empty()) {
    return fmt::format("expected an address such as mira@example.org, found \"{}\"",
                       printable(row.cells[0], 60));
  }
  const bool hiding =
      boosts_ > 0 && boosts_ < row.cells.size() && small(row.cells[boosts_]) == "false";
  sink({.address = std::string(address), .hiding_reposts = hiding});
  return {};
}

std::uint64_t AccountList::read(std::string_view name, BadLines& bad, const Sink& sink) {
  std::uint64_t accounts = 0;
  std::uint64_t last = 0;
  if (header_) first_ = rows_.next();
  for (; first_; first_ = rows_.next()) {
    last = first_->line;
    const std::string why = take(*first_, sink);
    if (why.empty()) {
      ++accounts;
    } else {
      bad.add({name, first_->bad_line != 0 ? first_->bad_line : first_->line}, why);
    }
  }
  if (rows_.unended() && last > 0) bad.note({name, last}, kUnended);
  return accounts;
}

}  // namespace chirp::cli::input
