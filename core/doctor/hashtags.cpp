// Stored hashtags against the texts of posts.
#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

using tables::TagPosts;

// Called for each kind of error.
struct HashtagFaults {
  // A post whose stored tags differ from its text, or that is missing from or wrongly in the lists
  // of its tags. Gets the right tags.
  std::function<void(const TaggedPost&)> differs;
  // A row of a list whose post does not have the tag.
  std::function<void(const TagPosts::Key&)> is_stray;
};

class Tags {
 public:
  Tags(Walk& walk, std::function<Time()> now, const HashtagFaults& found)
      : walk_(walk), snapshot_(walk.snapshot()), now_(std::move(now)), found_(found) {
    look_at_pending();
  }

  // Returns the number of stored tags.
  std::uint64_t compare() {
    const std::uint64_t count = compare_stored();
    find_missing();
    find_stray();
    return count;
  }

 private:
  // Stored tags need an existing post with these tags in its text.
  std::uint64_t compare_stored() {
    std::uint64_t count = 0;
    PostId below = kAboveAllPosts;
    for (;;) {
      const auto rows = reads::tagged_posts(snapshot_, below, kBlock);
      if (rows.empty()) return count;
      std::vector<bool> wrong;
      for (const TaggedPost& row : rows) {
        const auto posts =
            reads::rows_above<tables::Posts>(snapshot_, {PostId{row.post.value - 1}}, 1);
        const bool is_there = !posts.empty() && posts.front().id == row.post;
        const TaggedPost due = is_there ? due_of(posts.front()) : TaggedPost{row.post, {}, {}};
        const bool is_wrong = due.tags != row.tags || due.author != row.author;
        if (is_wrong) found_.differs(due);
        wrong.push_back(is_wrong);
        count += row.tags.size();
      }
      compare_lists(rows, wrong);
      below = rows.back().post;
      rest(rows.size());
    }
  }

  // A post is in the lists of its tags unless its author is suspended. Posts of authors under
  // removal are removed later.
  void compare_lists(const std::vector<TaggedPost>& rows, const std::vector<bool>& wrong) {
    std::vector<UserNumber> authors;
    std::vector<TagPosts::Key> keys;
    for (const TaggedPost& row : rows) {
      authors.push_back(row.author);
      for (const std::string& tag : row.tags) keys.push_back({tag, row.post});
    }
    const auto cards = reads::cards(snapshot_, authors);
    const auto listed = snapshot_.find_all(keys);
    std::size_t at = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto begin = listed.begin() + static_cast<std::ptrdiff_t>(at);
      at += rows[i].tags.size();
      const auto end = listed.begin() + static_cast<std::ptrdiff_t>(at);
      const bool is_going = !cards[i] || cards[i]->presence == Presence::kRemoved;
      if (wrong[i] || is_going || suspensions_.contains(rows[i].author)) continue;
      const bool due = cards[i]->presence == Presence::kPresent;
      const auto is_due = [&](const std::optional<UserNumber>& author) {
        return due ? author == rows[i].author : !author;
      };
      if (!std::all_of(begin, end, is_due)) found_.differs(rows[i]);
    }
  }

  void find_stray() {
    TagPosts::Key after;
    for (;;) {
      const auto rows = reads::above<TagPosts>(snapshot_, after, kBlock);
      if (rows.empty()) return;
      std::vector<tables::TagUses::Key> posts;
      for (const auto& [key, author] : rows) posts.push_back({key.post});
      const auto tagged = snapshot_.find_all(posts);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& tag = rows[i].first.tag;
        const bool stands = tagged[i] && std::ranges::count(tagged[i]->tags, tag) != 0;
        if (!stands) found_.is_stray(rows[i].first);
      }
      after = rows.back().first;
      rest(rows.size());
    }
  }

  // Recent posts have tags once the consumer has processed their events.
  void find_missing() {
    PostId after{floor() - 1};
    for (;;) {
      const auto posts = reads::rows_above<tables::Posts>(snapshot_, {after}, kBlock);
      if (posts.empty()) return;
      std::vector<UserNumber> authors;
      for (const Post& post : posts) authors.push_back(post.author);
      const auto cards = reads::cards(snapshot_, authors);
      const std::uint64_t kept_from = floor();  // the consumer may have dropped older ones
      for (std::size_t i = 0; i < posts.size(); ++i) {
        if (posts[i].id.value < kept_from) continue;
        if (!cards[i] || cards[i]->presence == Presence::kRemoved) continue;
        const TaggedPost due = due_of(posts[i]);
        if (due.tags.empty() || pending_.contains(due.post) || has_tags(due.post)) continue;
        found_.differs(due);
      }
      after = posts.back().id;
      rest(posts.size());
    }
  }

  [[nodiscard]] std::uint64_t floor() const {
    return snowflake::floor_of(Time{now_().ms - kTagsKeptMs});
  }

  void rest(std::uint64_t rows) {
    if (walk_.rest(rows)) look_at_pending();
  }

  void look_at_pending() {
    using events::Topic;
    pending_.clear();
    suspensions_.clear();
    for (Sequence from = snapshot_.state().trends;;) {
      const auto events = reads::events(snapshot_, from, kBlock);
      if (events.empty()) return;
      for (const events::Event& event : events) {
        if (event.topic == Topic::kPostCreated) pending_.insert(event.post);
        if (event.topic == Topic::kUserSuspended || event.topic == Topic::kUserUnsuspended) {
          suspensions_.insert(event.actor);
        }
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

  Walk& walk_;
  const Snapshot& snapshot_;
  std::function<Time()> now_;
  const HashtagFaults& found_;
  // Posts that the consumer has not processed yet.
  std::set<PostId> pending_;
  std::set<UserNumber> suspensions_;
};

}  // namespace

void check_hashtags(const CheckInput& stores, Examination& exam) {
  const HashtagFaults found{
      [&](const TaggedPost& due) {
        exam.find(FindingKind::kHashtag,
                  fmt::format("post {} is not listed under all of its {} hashtags", due.post.value,
                              due.tags.size()));
      },
      [&](const TagPosts::Key& key) {
        exam.find(FindingKind::kHashtag,
                  fmt::format("post {} is listed under #{}, which it does not have", key.post.value,
                              key.tag));
      }};
  exam.checked("hashtags", Tags(
                               stores.walk, [&] { return stores.clock.now(); }, found)
                               .compare());
}

void repair_hashtags(Storage& storage, Time now) {
  const auto snapshot = storage.snapshot();
  Walk walk(*snapshot);
  std::vector<TaggedPost> posts;
  std::vector<TagPosts::Key> stray;
  const auto flush = [&](std::size_t from) {
    if (posts.size() + stray.size() < from) return;
    rules::repair_tags(storage, posts, stray, now);
    posts.clear();
    stray.clear();
  };
  const HashtagFaults found{[&](const TaggedPost& due) {
                              posts.push_back(due);
                              flush(kRepairedAtOnce);
                            },
                            [&](const TagPosts::Key& key) {
                              stray.push_back(key);
                              flush(kRepairedAtOnce);
                            }};
  Tags(
      walk, [now] { return now; }, found)
      .compare();
  flush(1);
}

}  // namespace chirp::doctor
