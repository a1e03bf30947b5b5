#include "tests/support/load_world.h"

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/accounts.h"
#include "tests/support/directories.h"

namespace chirp::test {
namespace {

constexpr std::uint32_t kMany = 1'000'000;

std::map<UserNumber, std::uint64_t> sources_of(const Snapshot& snapshot) {
  std::map<UserNumber, std::uint64_t> sources;
  for (const AuthorCard& card : reads::rows_above<tables::Cards>(snapshot, {kNobody}, kMany)) {
    if (card.source) sources.emplace(card.number, card.source->number.value);
  }
  return sources;
}

}  // namespace

UserNumber LoadWorld::sign_up(const std::string& username) {
  const User user = directory.add(named(username), kNow);
  const AuthorCard card = social::card_of(user);
  rules::load_cards(storage, {&card, 1}, kNow);
  return user.number;
}

std::set<LoadWorld::Follow> LoadWorld::follows() const {
  const auto snapshot = storage.snapshot();
  const auto sources = sources_of(*snapshot);
  std::set<Follow> found;
  for (const auto& [number, source] : sources) {
    for (const Edge& edge : reads::following(*snapshot, number, kNobody, kMany).edges) {
      found.emplace(source, sources.at(edge.other));
    }
  }
  return found;
}

std::map<std::uint64_t, std::string> LoadWorld::names() const {
  std::map<std::uint64_t, std::string> names;
  for (const AuthorCard& card :
       reads::rows_above<tables::Cards>(*storage.snapshot(), {kNobody}, kMany)) {
    const auto row = directory.find(card.number);
    REQUIRE(row);
    CHECK(row->username == card.username);
    CHECK(row->display_name == card.display_name);
    CHECK(row->id == card.id);
    if (card.source) names.emplace(card.source->number.value, card.username);
  }
  return names;
}

std::vector<Post> LoadWorld::posts() const {
  return reads::rows_above<tables::Posts>(*storage.snapshot(), {kBelowAllPosts}, kMany);
}

std::vector<std::string> LoadWorld::texts() const {
  std::vector<std::string> texts;
  for (const Post& post : posts()) texts.push_back(post.text);
  return texts;
}

std::optional<User> LoadWorld::user(std::uint64_t source) const {
  const SourceId id{source};
  const auto number = reads::numbers_of(*storage.snapshot(), std::span(&id, 1)).front();
  return number ? directory.find(*number) : std::nullopt;
}

load::SourcePost source_post(std::uint64_t author, std::uint64_t id, Time time) {
  load::SourcePost post;
  post.id = SourceId{id};
  post.author_id = SourceId{author};
  post.text = "text " + std::to_string(id);
  post.created_at = time;
  return post;
}

load::SourcePost with(load::SourcePost outer, load::SourcePost inner) {
  outer.repost_of = inner.id;
  outer.original.push_back(std::move(inner));
  return outer;
}

load::Counts load_all(load::PostLoader& loader, const std::vector<load::SourcePost>& posts) {
  for (const load::SourcePost& each : posts) REQUIRE_FALSE(loader.add(load::SourcePost(each)));
  loader.finish();
  return loader.counts();
}

}  // namespace chirp::test
