// Goal: Mastodon's lists of accounts are recognized by content and by name, other tables are not,
// and each address is read unchanged.
// Method: tables of what Mastodon writes, old and new, and of its other exports.
#include "cli/input/account_list.h"

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

struct Read {
  std::string refusal;
  std::optional<load::Tie> tie;
  std::vector<std::string> accounts;  // with `-` before those whose boosts are not wanted
  std::vector<std::string> bad;
};

Read read(const std::string& text, std::string_view stem, std::size_t step = 1 << 16) {
  test::OpenText opened(text, step);
  test::Complaints complaints(100);
  AccountList list(opened.buffer(), stem);
  if (!list.refusal().empty())
    return {.refusal = list.refusal(), .tie = {}, .accounts = {}, .bad = {}};
  Read all;
  all.tie = list.tie();
  const auto count = list.read("f.csv", complaints.bad, [&](const ListedAccount& account) {
    all.accounts.push_back((account.hiding_reposts ? "-" : "") + account.address);
  });
  CHECK(count == all.accounts.size());
  all.bad = complaints.lines;
  return all;
}

using Accounts = std::vector<std::string>;

}  // namespace

TEST_CASE("account lists: the header says what they are, whatever the file's name") {
  const std::string following =
      "Account address,Show boosts,Notify on new posts,Languages\n"
      "mira@example.org,true,false,\"en, fr\"\r\n\n@nare@թութ.հայ,false,true,\n";
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 16}) {
    const Read all = read(following, "blocked_accounts", step);
    CHECK(all.tie == load::Tie::kFollows);
    CHECK(all.accounts == Accounts{"mira@example.org", "-nare@թութ.հայ"});
    CHECK(all.bad.empty());
  }
  CHECK(read("Account address,Show boosts\na@b.c,true\n", "x").tie == load::Tie::kFollows);
  CHECK(read("Account address,Hide notifications\na@b.c,true\n", "x").tie == load::Tie::kMutes);
  CHECK(read("\xEF\xBB\xBF"
             "account address , show boosts\na@b.c,FALSE\n",
             "")
            .accounts == Accounts{"-a@b.c"});
}

TEST_CASE("account lists: without a header the file's name says it") {
  CHECK(read("a@b.c\n", "following_accounts").tie == load::Tie::kFollows);
  CHECK(read("a@b.c,true\n", "follows").tie == load::Tie::kFollows);
  CHECK(read("a@b.c\n", "followers").tie == load::Tie::kFollowedBy);
  CHECK(read("a@b.c\n", "blocked_accounts (1)").tie == load::Tie::kBlocks);
  CHECK(read("a@b.c\n", "Muted_Accounts").tie == load::Tie::kMutes);
  CHECK(read("Account address\na@b.c\n", "blocked_accounts").tie == load::Tie::kBlocks);
  CHECK(read("a@b.c\n", "export")
            .refusal.starts_with("the file does not say whether its accounts are followed"));
  CHECK(read("Account address\na@b.c\n", "").refusal.starts_with("the file does not say"));
}

TEST_CASE("account lists: what lists no accounts is refused, and says what it is") {
  const auto refusal = [](const std::string& text, std::string_view stem) {
    return read(text, stem).refusal;
  };
  CHECK(refusal("Friends,a@b.c\n", "lists").starts_with("it lists the members of lists"));
  CHECK(refusal("Friends,a@b.c\n", "following").starts_with("it lists the members of lists"));
  CHECK(refusal("spam.example\n", "blocked_domains").starts_with("it lists blocked domains"));
  CHECK(refusal("#domain,#severity\nspam.example,silence\n", "blocks")
            .starts_with("it lists blocked domains"));
  CHECK(refusal("https://a.b/users/c/statuses/1\n", "bookmarks")
            .starts_with("it lists bookmarked posts"));
  CHECK(refusal("1,2\n", "export").starts_with("it is not a list of accounts"));
  CHECK(refusal("\"a\"b@c.d\n", "export").starts_with("it is not a list of accounts"));
  CHECK(refusal("spam.example\n", "export").starts_with("it lists blocked domains"));
  CHECK(refusal("nets\n", "followed_tags").starts_with("it is not a list of accounts"));
  CHECK(refusal("", "following") == "it is empty");
  CHECK(refusal("\n\n", "following") == "it is empty");
}

TEST_CASE("account lists: a first row that is no address is one bad row, where the name tells") {
  for (const char* first : {"eugen", "eugen,true", "far.example", "1,2", "a b", "\"a\"b@c.d"}) {
    CAPTURE(first);
    const Read all = read(std::string(first) + "\nmira@far.example\n", "following_accounts");
    CHECK(all.refusal == "");
    CHECK(all.accounts == Accounts{"mira@far.example"});
    REQUIRE(all.bad.size() == 1);
    CHECK(all.bad[0].starts_with("f.csv:1: "));
  }
}

TEST_CASE("account lists: an address has a user and a domain") {
  const Read all = read(
      "Account address,Show boosts\neugen,true\na@b@c,true\n@,true\na@,true\n@b.c,true\na "
      "b@c.d,true\n"
      " x@y.z ,true\n\"a,b@c.d\"x,true\n\xFF@c.d,true\n",
      "");
  CHECK(all.accounts == Accounts{"x@y.z"});
  REQUIRE(all.bad.size() == 8);
  CHECK(all.bad[0] == "f.csv:2: expected an address such as mira@example.org, found \"eugen\"");
}

}  // namespace chirp::cli::input
