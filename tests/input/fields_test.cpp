// Goal: the page about loading lists the names that the program knows, all and in their order.
// Method: its two tables beside the program's.
#include "cli/input/fields.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/input/cells.h"
#include "tests/support/source_tree.h"

namespace chirp::cli::input::fields_test {
namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("fields: the page lists the names in the table of fields") {
  const std::string page = test::source_file("docs/cli.md").text;
  // Returns the words in backquotes in a column of the row that begins at `row`.
  const auto names_in = [&](std::size_t row, int column) {
    REQUIRE(row != std::string::npos);
    for (; column > 0; --column) row = page.find(" |", row + 1);
    const std::string cell = page.substr(row + 2, page.find(" |", row + 1) - row - 2);
    Lines names;
    for (std::size_t at = 0; (at = cell.find('`', at)) != std::string::npos;) {
      const std::size_t end = cell.find('`', at + 1);
      names.push_back(plain_name(cell.substr(at + 1, end - at - 1)));
      at = end + 1;
    }
    return names;
  };
  const std::pair<const char*, Platform> services[] = {
      {"| Mastodon's API", Platform::kMastodon}, {"| Misskey |", Platform::kMisskey},
      {"| Bluesky |", Platform::kBluesky},       {"| nostr |", Platform::kNostr},
      {"| Twitter |", Platform::kTwitter},       {"| Reddit |", Platform::kReddit}};
  const std::size_t table = page.find("| service | names that identify it |");
  for (const auto& [begin, service] : services) {
    CAPTURE(begin);
    Lines known;
    for (const auto& [name, meaning] : post_names()) {
      if (meaning.service == service) known.emplace_back(name);
    }
    for (const ServiceName& one : service_names()) {
      if (one.service == service) known.push_back(plain_name(one.name));
    }
    Lines listed = names_in(page.find(begin, table), 1);
    std::ranges::sort(known);
    std::ranges::sort(listed);
    CHECK(fmt::format("{}", fmt::join(listed, " ")) == fmt::format("{}", fmt::join(known, " ")));
  }
  // The names of one field by rank.
  const std::size_t fields = page.find("| field | names in posts | names in users |");
  std::size_t in_posts = 0;
  std::size_t in_users = 0;
  for (std::size_t i = 0; i < kFields; ++i) {
    const auto field = static_cast<Field>(i);
    const auto known_in = [&](std::vector<KnownName> all) {
      std::erase_if(all, [&](const KnownName& name) {
        return name.second.field != field || name.second.service != Platform::kAny;
      });
      std::ranges::stable_sort(all, {}, [](const KnownName& name) { return name.second.rank; });
      Lines names;
      for (const auto& [name, meaning] : all) names.emplace_back(name);
      return names;
    };
    const Lines posts = known_in(post_names());
    const Lines users = known_in(user_names());
    if (posts.empty() && users.empty()) continue;
    CAPTURE(field_name(field));
    const std::size_t row = page.find(fmt::format("\n| {} |", field_name(field)), fields);
    REQUIRE(row != std::string::npos);
    CHECK(names_in(row + 1, 1) == posts);
    CHECK(names_in(row + 1, 2) == users);
    in_posts += posts.size();
    in_users += users.size();
  }
  CHECK(in_posts > 70);
  CHECK(in_users > 20);
}

}  // namespace chirp::cli::input::fields_test
