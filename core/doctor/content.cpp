// Posts against author logs and ids, the log, the marks and the timelines.
#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/row_problems.h"

namespace chirp::doctor {
namespace {

// A live id is at most the last live one; a loaded id is at most of the same millisecond.
bool above_floor(PostId id, PostId last) {
  if (snowflake::machine(id.value) == snowflake::kLoadMachine) {
    return snowflake::ticks(id.value) > snowflake::ticks(last.value);
  }
  return id > last;
}

// The doctor tolerates a clock that was set back.
Time latest(const CheckInput& stores) { return {stores.clock.now().ms + rules::kOwnClockMs}; }

// The posts of a block that are in the right log, and the rows found by their ids.
struct BlockPosts {
  std::vector<bool> logged;
  std::vector<std::optional<Post>> by_id;
};

template <class Log>
void find_logged(const Snapshot& snapshot, std::span<const Post> posts, Privacy level,
                 std::vector<bool>& logged) {
  std::vector<typename Log::Key> keys;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (posts[i].privacy != level) continue;
    keys.push_back({posts[i].author, posts[i].id});
    places.push_back(i);
  }
  if (keys.empty()) return;
  const auto rows = snapshot.find_all(keys);
  for (std::size_t i = 0; i < rows.size(); ++i) logged[places[i]] = rows[i].has_value();
}

BlockPosts found_of(const Snapshot& snapshot, std::span<const Post> posts) {
  BlockPosts found{std::vector<bool>(posts.size()), {}};
  find_logged<tables::AuthorLogs>(snapshot, posts, Privacy::kPublic, found.logged);
  find_logged<tables::FollowersLogs>(snapshot, posts, Privacy::kFollowers, found.logged);
  find_logged<tables::PrivateLogs>(snapshot, posts, Privacy::kPrivate, found.logged);
  std::vector<tables::Posts::Key> keys;
  for (const Post& post : posts) keys.push_back({post.id});
  found.by_id = snapshot.find_all(keys);
  return found;
}

void check_post(const Post& post, Time latest, PostId last_id, Examination& exam) {
  if (const auto problem = rules::post_problem(post, latest)) {
    exam.find(FindingKind::kPost, fmt::format("post {}: {}", post.id.value, *problem));
  }
  if (above_floor(post.id, last_id)) {
    exam.find(FindingKind::kPost,
              fmt::format("post {} is above the last id minted", post.id.value));
  }
}

void check_place(const Post& post, const std::optional<AuthorCard>& author, const BlockPosts& found,
                 std::size_t i, Examination& exam) {
  if (!author) {
    exam.find(FindingKind::kPost,
              fmt::format("the author of post {} does not exist", post.id.value));
    return;
  }
  if (author->presence == Presence::kRemoved) return;  // removed together with its author
  if (found.by_id[i] != post) {
    exam.find(FindingKind::kPost, fmt::format("post {} is not found by its id", post.id.value));
  }
  if (!found.logged[i]) {
    exam.find(FindingKind::kPost,
              fmt::format("post {} is missing among the posts of {}", post.id.value, who(*author)));
  }
}

void check_offset(const StoreState& state, std::string_view who_stands, Sequence offset,
                  Examination& exam) {
  if (state.log_first <= offset && offset <= state.log_end) return;
  exam.find(FindingKind::kLog,
            fmt::format("{} {}, which is outside the log", who_stands, offset.value));
}

void check_offsets(const StoreState& state, Examination& exam) {
  if (state.log_end > rules::kEventsMax) {
    exam.find(FindingKind::kLog,
              fmt::format("the log has reached event {}, which leaves too few numbers",
                          state.log_end.value));
  }
  check_offset(state, "the offset of fan-out is", state.fan_out, exam);
  check_offset(state, "the offset of the counters is", state.counters, exam);
  check_offset(state, "the offset of the notifications is", state.notifications, exam);
  check_offset(state, "the offset of the trends is", state.trends, exam);
  // Timelines built before it may not be stored.
  if (state.fan_out_reach < state.fan_out || state.fan_out_reach > state.log_end) {
    exam.find(FindingKind::kLog,
              fmt::format("fan-out has delivered up to {}, which is not between {} and {}",
                          state.fan_out_reach.value, state.fan_out.value, state.log_end.value));
  }
}

void check_queue(const CheckInput& stores, Examination& exam) {
  Sequence after{0};
  for (;;) {
    const auto rows = reads::rows_above<tables::FanOutQueue>(stores.snapshot, {after}, kBlock);
    if (rows.empty()) return;
    std::vector<PostId> ids;
    ids.reserve(rows.size());
    for (const FanOutRow& row : rows) ids.push_back(row.post);
    const auto posts = stores.snapshot.posts_at(ids);
    const Sequence fan_out = stores.state().fan_out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const FanOutRow& row = rows[i];
      if (row.sequence >= fan_out) {
        exam.find(
            FindingKind::kLog,
            fmt::format("post {} waits for delivery, but fan-out has not read its event {} yet",
                        row.post.value, row.sequence.value));
      }
      if (posts[i] && posts[i]->author != row.author) {
        exam.find(
            FindingKind::kLog,
            fmt::format(
                "post {} waits for delivery to followers of user number {}, who is not its author",
                row.post.value, row.author.value));
      }
    }
    after = rows.back().sequence;
    stores.walk.rest(rows.size());
  }
}

// Live ids ascend with the log, because authors' logs are read from the first pending post on.
void check_ascending(std::span<const events::Event> log, PostId& newest, Examination& exam) {
  for (const events::Event& event : log) {
    if (!events::makes_entry(event.topic)) continue;
    if (event.post <= newest) {
      exam.find(FindingKind::kLog,
                fmt::format("post {} of event {} is not above the posts before it",
                            event.post.value, event.sequence.value));
    }
    newest = std::max(newest, event.post);
  }
}

// Whether the current policy can have left this mark.
bool fits_policy(const feed::AuthorMark& mark, const StoreState& state) {
  const bool never = mark.push_from == feed::kNeverPushed;
  switch (state.settings.policy) {
    case feed::Policy::kPush:
      return !never;
    case feed::Policy::kHybrid:
      return never == (mark.tier == feed::Tier::kCelebrity);
    case feed::Policy::kPull:
    case feed::Policy::kCost:
      return true;
  }
  return true;
}

void check_timeline(const CheckInput& stores, const AuthorCard& viewer, Examination& exam) {
  try {
    // It would become valid as soon as the store reaches that generation.
    const auto timeline = stores.snapshot.timeline(viewer.number);
    const std::uint64_t generation = stores.state().generation;
    if (timeline && timeline->generation > generation) {
      exam.find(FindingKind::kTimeline,
                fmt::format("{}: generation {} is newer than the store's, {}", who(viewer),
                            timeline->generation, generation),
                viewer.number);
    }
    for (const feed::FeedError& wrong : feed::verify_timeline(stores.snapshot, viewer.number)) {
      exam.find(FindingKind::kTimeline,
                wrong.post == kBelowAllPosts
                    ? fmt::format("{}: {}", who(viewer), wrong.problem)
                    : fmt::format("{}, post {}: {}", who(viewer), wrong.post.value, wrong.problem),
                viewer.number);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
    exam.find(FindingKind::kTimeline, error.what(), viewer.number);
  }
}

// Checks the reposts in a block of posts. Reposts of an original under removal are not an error:
// they are removed after it.
void check_reposts(const CheckInput& stores, std::span<const Post> posts,
                   std::span<const std::optional<AuthorCard>> authors,
                   std::span<const ContentId> removals, Examination& exam) {
  std::vector<const Post*> reposts;
  std::vector<tables::Posts::Key> originals;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    const bool stays = authors[i] && authors[i]->presence != Presence::kRemoved;
    if (!posts[i].is_repost() || !stays) continue;
    reposts.push_back(&posts[i]);
    originals.push_back({posts[i].original});
  }
  if (reposts.empty()) return;
  const auto rows = stores.snapshot.find_all(std::span<const tables::Posts::Key>(originals));
  for (std::size_t i = 0; i < reposts.size(); ++i) {
    const Post& repost = *reposts[i];
    if (std::ranges::binary_search(removals, content_of(repost.original))) continue;
    if (const auto problem = rules::repost_problem(repost, rows[i])) {
      exam.find(FindingKind::kPost, fmt::format("post {}: {}", repost.id.value, *problem));
    }
  }
}

}  // namespace

void check_posts(const CheckInput& stores, Examination& exam) {
  OfState<std::vector<ContentId>> removals;
  std::uint64_t count = 0;
  PostId after = kBelowAllPosts;
  for (;;) {
    const auto posts = reads::rows_above<tables::Posts>(stores.snapshot, {after}, kBlock);
    if (posts.empty()) break;
    std::vector<UserNumber> authors;
    for (const Post& post : posts) authors.push_back(post.author);
    const auto cards = reads::cards(stores.snapshot, authors);
    const BlockPosts found = found_of(stores.snapshot, posts);
    const PostId last_id = stores.state().last_id;
    for (std::size_t i = 0; i < posts.size(); ++i) {
      check_post(posts[i], latest(stores), last_id, exam);
      check_place(posts[i], cards[i], found, i, exam);
    }
    check_reposts(stores, posts, cards, removals.get(stores.walk, &reads::unfinished_post_removals),
                  exam);
    count += posts.size();
    after = posts.back().id;
    stores.walk.rest(4 * posts.size());
  }
  exam.checked("posts", count);
}

void check_log(const CheckInput& stores, Examination& exam) {
  check_offsets(stores.state(), exam);
  check_queue(stores, exam);
  std::uint64_t count = 0;
  PostId newest = kBelowAllPosts;
  Sequence next = stores.state().log_first;
  for (;;) {
    const StoreState state = stores.state();
    next = std::max(next, state.log_first);  // older ones may have been dropped meanwhile
    if (next >= state.log_end) break;
    const auto events = reads::events(stores.snapshot, next, kBlock);
    if (events.empty() || events.front().sequence != next) {
      exam.find(FindingKind::kLog, fmt::format("event {} is missing", next.value));
      if (events.empty()) break;
    }
    for (std::size_t i = 1; i < events.size(); ++i) {
      if (events[i].sequence.value == events[i - 1].sequence.value + 1) continue;
      exam.find(FindingKind::kLog,
                fmt::format("events after {} are missing", events[i - 1].sequence.value));
    }
    check_ascending(events, newest, exam);
    count += events.size();
    next = Sequence{events.back().sequence.value + 1};
    stores.walk.rest(events.size());
  }
  exam.checked("events", count);
}

void check_marks(const CheckInput& stores, Examination& exam) {
  std::uint64_t count = 0;
  UserNumber after = kNobody;
  for (;;) {
    const auto marks = reads::rows_above<tables::Marks>(stores.snapshot, {after}, kBlock);
    if (marks.empty()) break;
    std::vector<UserNumber> authors;
    for (const feed::AuthorMark& mark : marks) authors.push_back(mark.author);
    const auto cards = reads::cards(stores.snapshot, authors);
    const StoreState state = stores.state();
    for (std::size_t i = 0; i < marks.size(); ++i) {
      ++count;
      if (!cards[i]) {
        exam.find(FindingKind::kTier, fmt::format("user number {} has a tier but does not exist",
                                                  marks[i].author.value));
      } else if (cards[i]->presence != Presence::kRemoved && !fits_policy(marks[i], state)) {
        exam.find(FindingKind::kTier,
                  fmt::format("the mark of {} does not match the policy {}", who(*cards[i]),
                              feed::name(state.settings.policy)),
                  marks[i].author);
      }
    }
    after = marks.back().author;
    stores.walk.rest(marks.size());
  }
  const StoreState state = stores.state();
  const bool pulled = state.push_from_all == feed::kNeverPushed;
  if (pulled != (state.settings.policy == feed::Policy::kPull)) {
    exam.find(FindingKind::kTier, "the mark of all users does not match the policy");
  }
  exam.checked("tiers", count);
}

void check_timelines(const CheckInput& stores, Examination& exam) {
  const std::uint64_t there = stores.snapshot.table_rows()["timelines"];
  // If there are too many, checks every n-th. Each run starts at another one.
  const std::uint64_t stride =
      there <= stores.timelines_max ? 1 : (there - 1) / stores.timelines_max + 1;
  std::uint64_t place = 0;
  const std::uint64_t first = static_cast<std::uint64_t>(stores.clock.now().ms) % stride;
  std::uint64_t count = 0;
  UserNumber after = kNobody;
  for (;;) {
    auto viewers = stores.snapshot.scan_timelines(after, kBlock);
    if (viewers.empty()) break;
    after = viewers.back();
    std::erase_if(viewers, [&](UserNumber /*viewer*/) { return place++ % stride != first; });
    for (const UserNumber viewer : viewers) {
      ++count;
      if (const auto card = stores.snapshot.find(tables::Cards::Key{viewer})) {
        check_timeline(stores, *card, exam);
      } else if (stores.snapshot.timeline(viewer)) {
        exam.find(FindingKind::kTimeline,
                  fmt::format("user number {} has a timeline but does not exist", viewer.value),
                  viewer);
      }
      stores.walk.rest(50);
    }
  }
  exam.checked("timelines", count, stride == 1 ? 0 : there);
}

}  // namespace chirp::doctor
