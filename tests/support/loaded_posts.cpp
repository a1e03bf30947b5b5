#include "tests/support/loaded_posts.h"

#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "tests/support/shown.h"

namespace chirp::test {

load::SourcePost post_of(std::uint64_t id, std::uint64_t author, Time time) {
  load::SourcePost post;
  post.id = SourceId{id};
  post.author_id = SourceId{author};
  post.text = fmt::format("text {} at {} #tag", id, time.ms);
  post.created_at = time;
  return post;
}

LoadedPlace::LoadedPlace(std::uint64_t seed) : random(seed), world(lmdb_kind()) {
  (void)load({}, {});
  for (int i = 0; i < 8; ++i) follow_some();
  world.post(anybody());
  world.drain();
}

void LoadedPlace::follow_some() {
  const UserNumber follower = anybody();
  const UserNumber followee = anybody();
  if (follower != followee) world.apply(Follow{follower, followee});
}

std::vector<Post> LoadedPlace::posts() const {
  return reads::rows_above<tables::Posts>(*storage().snapshot(), {kBelowAllPosts}, kAll);
}

std::vector<std::string> LoadedPlace::rows() const {
  std::vector<std::string> lines;
  const auto snapshot = storage().snapshot();
  for (const Post& post : posts()) {
    lines.push_back(fmt::format("{} {} {} {} {} {} {}", post.id.value, post.author.value, post.text,
                                post.created_at.ms, static_cast<int>(post.privacy),
                                post.source ? post.source->number.value : 0, post.original.value));
    for (const Medium& medium : post.media) {
      lines.back() += fmt::format(" {}: {}", medium.address, medium.alt_text);
    }
  }
  for (const Comment& comment :
       reads::rows_above<tables::Comments>(*snapshot, {kNoComment}, kAll)) {
    lines.push_back(fmt::format("{} on {} under {} {} {}", comment.id.value, comment.post.value,
                                comment.parent.value, comment.author.value, comment.text));
  }
  for (const auto& [user, counters] : reads::counters_above(*snapshot, kNobody, kAll)) {
    lines.push_back(fmt::format("{}: {} posts", user.value, counters.posts));
  }
  return lines;
}

load::Counts LoadedPlace::load(const std::vector<load::SourcePost>& input,
                               const load::PostOptions& options,
                               const std::function<void()>& between) {
  return load_into(storage(), input, options, between);
}

load::Counts LoadedPlace::load_into(Storage& into, const std::vector<load::SourcePost>& input,
                                    const load::PostOptions& options,
                                    const std::function<void()>& between) {
  load::PostLoader loader(into, directory, clock, between, options);
  bring_people(loader);
  for (const load::SourcePost& post : input) REQUIRE_FALSE(loader.add(load::SourcePost(post)));
  loader.finish();
  return loader.counts();
}

void LoadedPlace::bring_people(load::PostLoader& loader) {
  std::vector<load::SourceUser> users;
  for (std::uint64_t i = 1; i <= kUsers; ++i) {
    users.push_back({SourceId{i}, fmt::format("name{}", i), {}, {}});
  }
  loader.bring(users);
}

std::string LoadedPlace::wrong() const { return first_wrong_shown(storage(), clock); }

std::vector<load::SourcePost> plain_posts(LoadedPlace& place, std::uint64_t count) {
  std::vector<load::SourcePost> posts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Time time{kThen.ms + static_cast<std::int64_t>(place.below(count / 2))};
    posts.push_back(
        post_of(1 + place.below(count * 3), 1 + place.below(LoadedPlace::kUsers), time));
  }
  return posts;
}

std::vector<load::SourcePost> any_posts(LoadedPlace& place, std::uint64_t count) {
  std::vector<load::SourcePost> posts = plain_posts(place, count);
  // If a user reposts a post twice, the batches decide which repost counts.
  std::set<std::uint64_t> reposters;
  for (load::SourcePost& post : posts) {
    const SourceId other{1 + place.below(count * 3 + 5)};
    const std::uint64_t what = place.below(10);
    if (place.below(5) == 0) post.privacy = static_cast<Privacy>(place.below(3));
    if (other == post.id) continue;
    if (what == 0) post.reply_to = other;
    if (what == 3) {
      post.media.push_back({.file = {}, .alt_text = "seen", .link = {}, .address = "https://a/b"});
    }
    if (what != 1 && what != 2) continue;
    if (!reposters.insert(post.author_id->value).second) continue;
    post.repost_of = other;
    if (what == 2) {
      post.original.push_back(post_of(other.value, 1 + place.below(LoadedPlace::kUsers)));
    }
  }
  return posts;
}

bool load_until_failure(LoadedPlace& place, Storage& storage,
                        const std::vector<load::SourcePost>& input,
                        const load::PostOptions& options, const std::function<void()>& between,
                        Ends ends) {
  load::PostLoader loader(storage, place.directory, place.clock, between, options);
  try {
    for (const load::SourcePost& post : input) {
      const auto problem = loader.add(load::SourcePost(post));
      CHECK_FALSE(problem);
    }
    loader.finish();
    return false;
  } catch (const Error&) {
    if (ends == Ends::kDies) return true;
  }
  try {
    loader.abandon();
  } catch (const Error&) {
    // The same failure can happen again.
  }
  return true;
}

}  // namespace chirp::test
