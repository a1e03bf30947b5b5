#include "core/social/suggestions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/limits.h"
#include "core/ports/reads.h"

namespace chirp::social {
namespace {

struct ScoredUser {
  UserNumber user;
  std::int64_t followers = 0;
  std::vector<UserNumber> friends;
};

bool comes_first(const ScoredUser& a, const ScoredUser& b) {
  return std::tuple(b.friends.size(), b.followers, a.user) <
         std::tuple(a.friends.size(), a.followers, b.user);
}

// All candidates, each with the reader's followees who follow them.
std::vector<ScoredUser> candidates_of(const ContentReader& snapshot, UserNumber reader) {
  std::map<UserNumber, std::vector<UserNumber>> found;
  const EdgePage followed = reads::following(snapshot, reader, kNobody, limits::kSuggestFriends);
  for (const Edge& edge : followed.edges) {
    const EdgePage theirs = reads::following(snapshot, edge.other, kNobody, limits::kSuggestEdges);
    for (const Edge& one : theirs.edges) found[one.other].push_back(edge.other);
  }
  for (const auto& [key, marks] :
       reads::above<tables::Marks>(snapshot, {kNobody}, limits::kSuggestPeople)) {
    found.try_emplace(key.author);
  }
  for (const auto& [key, card] :
       reads::above<tables::Cards>(snapshot, {kNobody}, limits::kSuggestPeople)) {
    found.try_emplace(key.user);
  }
  found.erase(reader);
  std::vector<UserNumber> numbers;
  for (const auto& [number, friends] : found) numbers.push_back(number);
  const auto counters = snapshot.counters(numbers);
  std::vector<ScoredUser> candidates;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    candidates.push_back({numbers[i], counters[i].followers, std::move(found[numbers[i]])});
  }
  return candidates;
}

// The cards of the present users, in the order of `numbers`.
std::vector<AuthorCard> present(const ContentReader& snapshot,
                                std::span<const UserNumber> numbers) {
  std::vector<AuthorCard> cards;
  for (auto& card : reads::cards(snapshot, numbers)) {
    if (card && card->presence == Presence::kPresent) cards.push_back(*std::move(card));
  }
  return cards;
}

// Empty for a user who may not be suggested.
std::optional<Suggestion> suggestion_of(const ContentReader& snapshot, UserNumber reader,
                                        const ScoredUser& candidate) {
  const ViewerRelation bond = snapshot.bonds(reader, {&candidate.user, 1}).front();
  if (bond.blocks || bond.blocked_by || bond.mutes) return std::nullopt;
  if (reads::follows(snapshot, reader, candidate.user)) return std::nullopt;
  auto cards = present(snapshot, {&candidate.user, 1});
  if (cards.empty()) return std::nullopt;
  const auto friends = present(snapshot, candidate.friends);
  Suggestion suggestion{std::move(cards.front()),
                        candidate.followers,
                        static_cast<std::uint32_t>(friends.size()),
                        {}};
  const std::size_t shown = std::min(friends.size(), limits::kSuggestedThrough);
  suggestion.through.assign(friends.begin(), friends.begin() + static_cast<std::ptrdiff_t>(shown));
  return suggestion;
}

}  // namespace

std::vector<Suggestion> suggestions_in(const ContentReader& snapshot, UserNumber reader,
                                       std::uint32_t limit) {
  check_page_limit(limit, limits::kSuggestionsMax, "users");
  std::vector<ScoredUser> candidates = candidates_of(snapshot, reader);
  std::sort(candidates.begin(), candidates.end(), comes_first);
  std::vector<Suggestion> suggestions;
  for (const ScoredUser& candidate : candidates) {
    if (suggestions.size() == limit) break;
    auto suggestion = suggestion_of(snapshot, reader, candidate);
    if (suggestion) suggestions.push_back(*std::move(suggestion));
  }
  return suggestions;
}

}  // namespace chirp::social
