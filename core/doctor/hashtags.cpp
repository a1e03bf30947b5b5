// Hashtags as trends count them, against the texts of posts.
#include <functional>
#include <set>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

// Called for each post whose stored tags are not those of its text, with the tags that it should
// have.
using Differs = std::function<void(const TaggedPost&)>;

class Tags {
 public:
  Tags(const Snapshot& snapshot, Time now, const Differs& differs)
      : snapshot_(snapshot), since_{now.ms - kTagsKeptMs}, differs_(differs) {}

  // How many there are.
  std::uint64_t compare() {
    const std::uint64_t count = compare_stored();
    find_missing();
    return count;
  }

 private:
  // Tags go with their post: a post that has tags stored must be there, and its text must have
  // them.
  std::uint64_t compare_stored() {
    std::uint64_t count = 0;
    PostId below = kAboveAllPosts;
    for (;;) {
      const auto rows = reads::tagged_posts(snapshot_, below, kBlock);
      if (rows.empty()) return count;
      for (const TaggedPost& row : rows) {
        const auto posts =
            reads::rows_above<tables::Posts>(snapshot_, {PostId{row.post.value - 1}}, 1);
        const bool is_there = !posts.empty() && posts.front().id == row.post;
        const TaggedPost due = is_there ? due_of(posts.front()) : TaggedPost{row.post, {}, {}};
        if (due.tags != row.tags || due.author != row.author) differs_(due);
        count += row.tags.size();
      }
      below = rows.back().post;
    }
  }

  // A post of the days that are kept has its tags once the consumer has taken in its event.
  void find_missing() {
    const std::set<PostId> pending = pending_posts();
    PostId after{snowflake::floor_of(since_) - 1};
    for (;;) {
      const auto posts = reads::rows_above<tables::Posts>(snapshot_, {after}, kBlock);
      if (posts.empty()) return;
      std::vector<UserNumber> authors;
      for (const Post& post : posts) authors.push_back(post.author);
      const auto cards = reads::cards(snapshot_, authors);
      for (std::size_t i = 0; i < posts.size(); ++i) {
        if (!cards[i] || cards[i]->presence == Presence::kRemoved) continue;
        const TaggedPost due = due_of(posts[i]);
        if (due.tags.empty() || pending.contains(due.post) || has_tags(due.post)) continue;
        differs_(due);
      }
      after = posts.back().id;
    }
  }

  [[nodiscard]] std::set<PostId> pending_posts() const {
    std::set<PostId> pending;
    for (Sequence from = snapshot_.state().trends;;) {
      const auto events = reads::events(snapshot_, from, kBlock);
      if (events.empty()) return pending;
      for (const events::Event& event : events) {
        if (event.topic == events::Topic::kPostCreated) pending.insert(event.post);
      }
      from = Sequence{events.back().sequence.value + 1};
    }
  }

  static TaggedPost due_of(const Post& post) {
    const bool counts = post.privacy == Privacy::kPublic && !post.is_repost();
    return {post.id, post.author, counts ? tags_in(post.text) : std::vector<std::string>{}};
  }

  [[nodiscard]] bool has_tags(PostId post) const {
    const auto found = reads::tagged_posts(snapshot_, PostId{post.value + 1}, 1);
    return !found.empty() && found.front().post == post;
  }

  const Snapshot& snapshot_;
  Time since_;
  const Differs& differs_;
};

}  // namespace

void check_hashtags(const Stores& stores, Examination& exam) {
  const Differs differs = [&](const TaggedPost& due) {
    exam.find(Kind::kHashtag, fmt::format("post {} has not the {} hashtags that it says",
                                          due.post.value, due.tags.size()));
  };
  exam.checked("hashtags", Tags(stores.snapshot, stores.clock.now(), differs).compare());
}

void repair_hashtags(Storage& storage, Time now) {
  const auto snapshot = storage.snapshot();
  std::vector<TaggedPost> posts;
  const auto flush = [&](std::size_t from) {
    if (posts.size() < from) return;
    rules::repair_tags(storage, posts, now);
    posts.clear();
  };
  const Differs differs = [&](const TaggedPost& due) {
    posts.push_back(due);
    flush(kRepairedAtOnce);
  };
  Tags(*snapshot, now, differs).compare();
  flush(1);
}

}  // namespace chirp::doctor
