#include "cli/load/import_numbers.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

namespace chirp::cli {
namespace {

// Users per part, if their ids are spread evenly.
constexpr std::size_t kUsersAPart = 8;

}  // namespace

std::string unknown_user(UserId id) {
  return fmt::format("user {} is not among the users", id.value);
}

void ImportNumbers::add(UserId id, UserNumber number) {
  ids_.push_back(id);
  numbers_.push_back(number);
}

void ImportNumbers::sort() {
  std::vector<std::pair<UserId, UserNumber>> all;
  all.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) all.emplace_back(ids_[i], numbers_[i]);
  std::ranges::sort(all);
  for (std::size_t i = 0; i < all.size(); ++i) std::tie(ids_[i], numbers_[i]) = all[i];
}

void ImportNumbers::finish() {
  if (ids_.empty()) return;
  if (!std::ranges::is_sorted(ids_)) sort();
  const std::uint64_t width = ids_.back().value - ids_.front().value;
  const auto bits = static_cast<unsigned>(std::bit_width(ids_.size() / kUsersAPart));
  const auto all_bits = static_cast<unsigned>(std::bit_width(width));
  shift_ = all_bits > bits ? all_bits - bits : 0;
  firsts_.assign((width >> shift_) + 2, 0);
  std::size_t part = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::size_t own = (ids_[i].value - ids_.front().value) >> shift_;
    for (; part < own; ++part) firsts_[part + 1] = static_cast<std::uint32_t>(i);
  }
  firsts_.back() = static_cast<std::uint32_t>(ids_.size());
}

std::optional<UserNumber> ImportNumbers::find(UserId id) const {
  if (ids_.empty() || id < ids_.front() || id > ids_.back()) return std::nullopt;
  const std::size_t part = (id.value - ids_.front().value) >> shift_;
  const auto begin = ids_.begin() + firsts_[part];
  const auto end = ids_.begin() + firsts_[part + 1];
  const auto at = std::lower_bound(begin, end, id);
  if (at == end || *at != id) return std::nullopt;
  return numbers_[static_cast<std::size_t>(at - ids_.begin())];
}

}  // namespace chirp::cli
