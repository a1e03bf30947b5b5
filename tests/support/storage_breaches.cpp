// The invariants of any state of a store.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "tests/support/content_breaches.h"
#include "tests/support/naive_feed.h"
#include "tests/support/naive_notices.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

// Posts that the invariant of timelines leaves to the pending tail.
std::set<PostId> pending_posts(const Snapshot& snapshot) {
  std::set<PostId> pending;
  for (const events::Event& event : reads::events(snapshot, snapshot.state().fan_out, kAll)) {
    if (events::makes_entry(event.topic)) pending.insert(event.post);
  }
  for (const FanOutRow& row : reads::fan_out_queue(snapshot, kAll)) pending.insert(row.post);
  return pending;
}

class Checker {
 public:
  explicit Checker(const Snapshot& snapshot)
      : snapshot_(snapshot), state_(snapshot.state()), world_(world_of(snapshot)) {}

  std::vector<std::string> run() {
    for (const UserNumber viewer : snapshot_.scan_timelines(kNobody, kAll)) check_timeline(viewer);
    check_counters();
    check_edges();
    check_reposts();
    check_tiers();
    for (std::string& breach : content_breaches(snapshot_)) breaches_.push_back(std::move(breach));
    for (std::string& breach : notice_breaches(snapshot_)) breaches_.push_back(std::move(breach));
    for (const std::string& problem : snapshot_.problems()) report("problem: {}", problem);
    return std::move(breaches_);
  }

 private:
  template <class... Args>
  void report(fmt::format_string<Args...> format, Args&&... args) {
    breaches_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  PostId push_from(UserNumber author) const {
    const auto mark = snapshot_.find(tables::Marks::Key{author}).value_or(feed::AuthorMark{author});
    return std::max(mark.push_from, state_.push_from_all);
  }

  void check_timeline(UserNumber viewer) {
    const Timeline timeline = snapshot_.timeline(viewer).value();
    std::set<PostId> held;
    for (const Entry& entry : timeline.entries) {
      if (!held.empty() && entry.id >= *held.begin()) report("{}: not newest first", viewer.value);
      if (entry.id < timeline.complete_from) report("{}: entry below C", viewer.value);
      held.insert(entry.id);
    }
    if (timeline.generation != state_.generation) return;
    for (const auto& [id, post] : world_.posts) {
      const bool covered = post.author == viewer || world_.follows.contains({viewer, post.author});
      if (!covered || !world_.users.contains(post.author) || !world_.users.contains(viewer))
        continue;
      if (post.privacy == Privacy::kPrivate && post.author != viewer) continue;
      if (id < timeline.complete_from || id < push_from(post.author)) continue;
      if (!held.contains(id) && !pending_.contains(id)) {
        report("{}: post {} of {} missing, C {}", viewer.value, id.value, post.author.value,
               timeline.complete_from.value);
      }
    }
  }

  void check_counters() {
    if (!reads::unfinished_removals(snapshot_).empty()) return;
    std::map<UserNumber, UserCounters> actual;
    for (const UserNumber user : world_.users) actual[user];
    for (const auto& [id, post] : world_.posts) {
      if (post.privacy != Privacy::kPrivate) ++actual[post.author].posts;
    }
    for (const auto& [follower, followee] : world_.follows) {
      ++actual[follower].following;
      ++actual[followee].followers;
    }
    for (const auto& [user, wanted] : actual) {
      const UserCounters found = snapshot_.counters({&user, 1}).front();
      if (found == wanted) continue;
      report("{}: counters say {} followers, {} following, {} posts, and there are {}, {}, {}",
             user.value, found.followers, found.following, found.posts, wanted.followers,
             wanted.following, wanted.posts);
    }
  }

  void check_edges() {
    std::set<std::pair<UserNumber, UserNumber>> reverse;
    for (const UserNumber user : world_.users) {
      for (const Edge& edge : reads::followers(snapshot_, user, kNobody, kAll).edges) {
        if (world_.users.contains(edge.other)) reverse.insert({edge.other, user});
        if (reads::follows(snapshot_, edge.other, user) != edge.since) {
          report("{} of {}: edge is not the same from both sides", edge.other.value, user.value);
        }
      }
    }
    for (const auto& [follower, followee] : world_.follows) {
      if (world_.users.contains(followee) && !reverse.contains({follower, followee})) {
        report("{} of {}: edge without reverse", follower.value, followee.value);
      }
    }
  }

  // The index of reposts says what their records say.
  void check_reposts() {
    std::size_t found = 0;
    std::set<PostId> originals;
    for (const Post& post : reads::rows_above<tables::Posts>(snapshot_, {kBelowAllPosts}, kAll)) {
      if (!post.is_repost()) continue;
      ++found;
      originals.insert(post.original);
      if (snapshot_.find(tables::RepostsOf::Key{post.original, post.author}) != post.id) {
        report("repost {} is not in the index", post.id.value);
      }
    }
    for (const PostId original : originals) {
      found -= reads::reposts(snapshot_, original, kNobody, kAll).size();
    }
    if (found != 0) report("the index of reposts has other rows than there are reposts");
  }

  void check_tiers() {
    std::map<UserNumber, std::int64_t> followers;
    for (const auto& [user, counters] : reads::counters_above(snapshot_, kNobody, kAll)) {
      followers[user] = counters.followers;
    }
    const auto due = rules::tiers_due(snapshot_);
    for (const UserNumber user : world_.users) {
      if (due && user >= *due) continue;  // new bounds have yet to be asked
      const feed::Tier tier =
          snapshot_.find(tables::Marks::Key{user}).value_or(feed::AuthorMark{user}).tier;
      if (feed::next_tier(tier, followers[user], state_.settings) != tier) {
        report("{}: tier {} with {} followers", user.value, feed::name(tier), followers[user]);
      }
    }
  }

  const Snapshot& snapshot_;
  StoreState state_;
  World world_;
  std::set<PostId> pending_ = pending_posts(snapshot_);
  std::vector<std::string> breaches_;
};

}  // namespace

std::vector<std::string> breaches(const Snapshot& snapshot) { return Checker(snapshot).run(); }

std::string first_breach(const Storage& storage) {
  const auto found = breaches(*storage.snapshot());
  return found.empty() ? "" : found.front();
}

}  // namespace chirp::test
