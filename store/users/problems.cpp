#include "store/users/problems.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::users {
namespace {

// `$2b$`, two digits of cost from 04 to 31, `$`, 53 of bcrypt's alphabet.
bool is_bcrypt_hash(std::string_view hash) {
  constexpr std::size_t kSize = 60;
  constexpr std::size_t kCostAt = 4;
  constexpr std::size_t kSaltAt = 7;
  if (hash.size() != kSize || hash.substr(0, kCostAt) != "$2b$" || hash[kSaltAt - 1] != '$') {
    return false;
  }
  const std::string_view cost = hash.substr(kCostAt, 2);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::all_of(cost.begin(), cost.end(), is_digit) || cost < "04" || cost > "31") return false;
  return std::all_of(hash.begin() + kSaltAt, hash.end(), [&](char c) {
    return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '/';
  });
}

}  // namespace

void Problems::add(std::string line) {
  constexpr std::size_t kLinesMax = 100;
  if (lines_.size() < kLinesMax) {
    lines_.push_back(std::move(line));
  } else {
    ++more_;
  }
}

void Problems::collect(std::string_view what, const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    add(fmt::format("{}: {}", what, error.what()));
  }
}

std::vector<std::string> Problems::take() && {
  if (more_ > 0) lines_.push_back(fmt::format("… and {} more", more_));
  return std::move(lines_);
}

void check_user(const User& user, const std::optional<std::string>& hash,
                const std::function<std::uint64_t()>& floor, Problems& problems) {
  const auto add = [&](std::string_view what) {
    problems.add(fmt::format("user {} ({}): {}", user.id.value, user.username, what));
  };
  if (hash && !is_bcrypt_hash(*hash)) add("the password hash is not one of bcrypt");
  if (snowflake::machine(user.id.value) != snowflake::kLoadMachine && user.id.value > floor()) {
    add("the id is above the last one minted");
  }
  try {
    if (user.email) check_email(*user.email);
  } catch (const Error&) {
    add("the e-mail address can't be one");
  }
}

}  // namespace chirp::users
