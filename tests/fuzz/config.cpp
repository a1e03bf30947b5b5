// The configuration file: it is read as keys with values, or refused as bad input. What was read
// can be written plainly and read again.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/config_file.h"
#include "core/error.h"
#include "tests/fuzz/targets.h"

namespace chirp::fuzz {
namespace {

using Items = std::vector<cli::ConfigItem>;

bool is_plain(std::string_view text, std::string_view more) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || more.find(c) != Bytes::npos;
  });
}

// Returns the items that can be written without quotes, the first of each key. Consecutive lines
// with one key are one item.
Items plain_items(const Items& items) {
  Items plain;
  for (const cli::ConfigItem& item : items) {
    const bool is_simple = is_plain(item.key, "_-") && !item.values.empty() &&
                           std::ranges::all_of(item.values, [](const std::string& value) {
                             return is_plain(value, "-_./: ");
                           });
    const bool is_known = std::ranges::any_of(
        plain, [&](const cli::ConfigItem& other) { return other.key == item.key; });
    if (is_simple && !is_known) plain.push_back(item);
  }
  return plain;
}

std::string written(const Items& items) {
  std::string text;
  for (const cli::ConfigItem& item : items) {
    text += fmt::format("{} = [\"{}\"]\n", item.key, fmt::join(item.values, "\", \""));
  }
  return text;
}

}  // namespace

void config(Bytes input) {
  Items items;
  try {
    items = cli::config_items("f", std::string(input));
  } catch (const Error& error) {
    holds(error.code() == ErrorCode::kBadInput && *error.what() != '\0',
          "a file that can't be read is bad input");
    return;
  }
  for (const cli::ConfigItem& item : items) {
    holds(item.key.find('\n') == std::string::npos, "a key is of one line");
  }
  const Items plain = plain_items(items);
  const Items again = cli::config_items("f", written(plain));
  holds(std::equal(plain.begin(), plain.end(), again.begin(), again.end(),
                   [](const cli::ConfigItem& a, const cli::ConfigItem& b) {
                     return a.key == b.key && a.values == b.values;
                   }),
        "what was read, written plainly, is read again");
}

}  // namespace chirp::fuzz
