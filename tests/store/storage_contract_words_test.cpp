// Goal: source ids that are words are kept, found whole and freed on every store, beside numbers.
// Method: cards, posts and comments with words that differ in little.
#include <set>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

SourceKey word(std::string text) { return SourceKey(std::move(text)); }

const std::vector<SourceKey>& alike() {
  static const std::vector<SourceKey> all{SourceId{7},
                                          word("007"),
                                          word("07"),
                                          word("alice"),
                                          word("Alice"),
                                          word("alic"),
                                          word("mira@example.org"),
                                          word(std::string(limits::kSourceWordMax, 'x')),
                                          word(std::string(limits::kSourceWordMax - 1, 'x')),
                                          word("\xC3\xA9"),
                                          word("9223372036854775808")};
  return all;
}

std::vector<std::optional<UserNumber>> numbers(const Subject& s) {
  return reads::numbers_of(*s.storage().snapshot(), std::span<const SourceKey>(alike()));
}
std::optional<LoadedContent> content(const Subject& s, const SourceKey& key) {
  return reads::contents_of(*s.storage().snapshot(), {&key, 1}).front();
}

}  // namespace

TEST_CASE("storage contract: cards are found by words, compared whole") {
  for_each_store([](Subject& s) {
    std::vector<AuthorCard> cards;
    for (std::uint32_t i = 0; i < alike().size(); ++i) {
      cards.push_back(card(i + 1));
      cards.back().source = alike()[i];
    }
    rules::load_cards(s.storage(), cards, s.now);
    CHECK(reads::rows_above<tables::Cards>(*s.see(), {kNobody}, 99) == cards);
    for (std::uint32_t i = 0; i < alike().size(); ++i) {
      CAPTURE(i);
      CHECK(numbers(s)[i] == UserNumber{i + 1});
    }
    CHECK(s.see()->problems().empty());

    s.apply(MarkRemoved{UserNumber{4}});
    CHECK_FALSE(numbers(s)[3]);
    CHECK(numbers(s)[4] == UserNumber{5});
    AuthorCard next = card(50);
    next.source = alike()[3];
    s.apply(PutCard{next});
    CHECK(numbers(s)[3] == UserNumber{50});
    CHECK(s.see()->problems().empty());
  });
}

TEST_CASE("storage contract: posts and comments are found by words, and free them") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    std::vector<LoadedPost> posts;
    for (const SourceKey& key : alike()) posts.push_back({key, u[0], s.now, "text"});
    CHECK(rules::load_posts(s.storage(), posts, s.now).stored == posts.size());
    CHECK(rules::load_posts(s.storage(), posts, s.now).duplicates == posts.size());
    const std::vector<LoadedPost> twice{{word("new"), u[0], s.now, "a"},
                                        {word("new"), u[1], s.now, "b"}};
    const LoadCounts counts = rules::load_posts(s.storage(), twice, s.now);
    CHECK(counts.stored == 1);
    CHECK(counts.duplicates == 1);
    std::set<PostId> found;
    for (const SourceKey& key : alike()) {
      REQUIRE(content(s, key));
      found.insert(content(s, key)->post);
    }
    CHECK(found.size() == alike().size());

    const PostId post = content(s, word("alice"))->post;
    const std::vector<LoadedComment> comments{
        {word("https://example.org/1"), u[1], s.now, "said", post},
        {word("alice"), u[1], s.now, "taken", post}};
    const LoadCounts said = rules::load_comments(s.storage(), comments, s.now);
    CHECK(said.stored == 1);
    CHECK(said.duplicates == 1);
    CHECK(content(s, word("https://example.org/1"))->post == post);
    CHECK(s.see()->problems().empty());

    s.apply(RemovePost{content(s, word("Alice"))->post});
    CHECK_FALSE(content(s, word("Alice")));
    CHECK(content(s, word("alice")));
    const LoadedPost again{word("Alice"), u[1], s.now, "free again"};
    CHECK(rules::load_posts(s.storage(), {&again, 1}, s.now).stored == 1);
    CHECK(s.see()->problems().empty());
  });
}

}  // namespace chirp::test
