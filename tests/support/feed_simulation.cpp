#include "tests/support/feed_simulation.h"

#include <algorithm>
#include <string>

#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::test {
namespace {

constexpr std::size_t kUsers = 7;
constexpr events::FanOutBounds kTinyBounds{.events = 3, .deliveries = 6, .chunk = 2, .large = 4};
constexpr rules::TurnRows kFewRows{1, 1, 3};

events::Gatherer gatherer() { return {events::Bindings(events::FanOut::kBindings), kTinyBounds}; }

feed::FeedSettings tiny_settings(std::uint32_t bits) {
  feed::FeedSettings settings;
  settings.policy = static_cast<feed::Policy>(bits % 4);
  settings.cap = 1 + bits / 4 % 6;
  settings.influencer_from = 3;
  settings.celebrity_above = 5;
  settings.active_days = 1;
  return settings;
}

[[noreturn]] void mismatch(const std::string& message) { throw Mismatch(message); }

}  // namespace

Simulation::Simulation(Storage& storage, std::uint32_t setup)
    : storage_(storage),
      feeds_(storage, clock_),
      fan_out_(storage, clock_, kTinyBounds),
      gatherers_{gatherer(), gatherer()} {
  rules::change_settings(storage_, tiny_settings(setup), clock_.now());
  while (users_.size() < kUsers) join();
  std::mt19937_64 random(setup);
  std::vector<Change> follows;
  for (int i = 0; i < 10; ++i) {
    const UserNumber follower = user(static_cast<std::uint32_t>(random() % kUsers));
    const UserNumber followee = user(static_cast<std::uint32_t>(random() % kUsers));
    if (follower == followee) continue;
    follows.assign({Follow{follower, followee}});
    write(follows);
  }
}

void Simulation::apply(const Action& action) {
  apply_social(action);
  apply_relations(action);
  apply_fan_out(action);
  apply_timeline(action);
  apply_settings(action);
  apply_time(action);
  forget_lost_reposts();
}

// ---- the consumers

void Simulation::apply_fan_out(const Action& action) {
  switch (action.act) {
    case Act::kGather:
      gather(action.k % 2);
      break;
    case Act::kFlush:
      flush(action.k % 2, 1 + action.x % 4);
      break;
    case Act::kCrash:
      gathered_[action.k % 2].reset();
      break;
    case Act::kFanOut:
      (void)fan_out_.step();
      break;
    case Act::kCount:
      (void)events::CounterConsumer(storage_, clock_, 1 + action.x % 4, kFewRows).step();
      (void)events::NotificationConsumer(storage_, clock_, 1 + action.x % 4, kFewRows).step();
      (void)events::TrendConsumer(storage_, clock_, 1 + action.x % 4, kFewRows).step();
      break;
    case Act::kDrain:
      events::drain(storage_, clock_);
      break;
    case Act::kDecide:
      decide(user(action.a));
      break;
    case Act::kTrimLog:
      rules::trim_log(storage_, Time{clock_.now().ms + kDayMs}, 1 + action.x % 5);
      break;
    default:
      break;
  }
}

void Simulation::gather(std::uint32_t slot) {
  if (gathered_[slot]) return;
  auto work = gatherers_[slot].gather(*storage_.snapshot(), clock_.now());
  if (!work) return;
  if (slot == 1) {  // leaves out who has no timeline, as large steps do
    if (!rules::commit(storage_, work->announcement(), clock_.now())) return;
    work->leave_out_absent(*storage_.snapshot());
  }
  gathered_[slot].emplace(Gathering{work->announcement().from, std::move(*work)});
}

void Simulation::flush(std::uint32_t slot, std::size_t count) {
  if (!gathered_[slot]) return;
  const auto part = gathered_[slot]->work.next_part(count);
  if (!part) return gathered_[slot].reset();
  const StoreState state = storage_.snapshot()->state();
  const bool due = state.fan_out == gathered_[slot]->from &&
                   (part->marks.empty() || state.settings.policy == feed::Policy::kCost);
  const bool taken = rules::commit(storage_, *part, clock_.now());
  if (taken != due) mismatch("a step was taken that was not due, or one that was due was not");
  if (!taken) gathered_[slot].reset();
}

void Simulation::decide(UserNumber author) {
  const auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  auto mark = snapshot->find(tables::Marks::Key{author}).value_or(feed::AuthorMark{author});
  mark.push_from =
      mark.push_from == feed::kNeverPushed ? PostId{state.last_id.value + 1} : feed::kNeverPushed;
  FanOutStep step;
  step.from = state.fan_out;
  step.to = state.fan_out;
  step.marks.push_back(mark);
  const bool due = state.settings.policy == feed::Policy::kCost;
  if (rules::commit(storage_, step, clock_.now()) != due) mismatch("marks were taken, or were not");
}

// ---- timelines

void Simulation::apply_timeline(const Action& action) {
  const UserNumber viewer = user(action.a);
  switch (action.act) {
    case Act::kWalk:
      if (auto built = feed::build_timeline(*storage_.snapshot(), viewer, clock_)) {
        walks_.push_back(std::move(*built));
      }
      break;
    case Act::kStore:
      if (!walks_.empty()) store(action);
      break;
    case Act::kRead: {
      feed::PageRequest request;
      request.viewer = viewer;
      request.limit = 1 + action.x % 5;
      const feed::Page page = feeds_.page(request);
      compare_page(page, request, world_, naive_feed(world_, viewer));
      feeds_.after_read(viewer, page.upkeep);
      break;
    }
    case Act::kNoteRead:
      rules::note_read(storage_, viewer, clock_.now());
      break;
    case Act::kRebuild:
      (void)feeds_.rebuild(viewer);
      break;
    case Act::kDrop:
      rules::drop_timeline(storage_, viewer);
      break;
    case Act::kVerify:
      check_all();
      break;
    case Act::kHold:
      held_.emplace(Held{storage_.snapshot(), world_});
      (void)held_->snapshot->state();  // from then on it stays what it is
      break;
    case Act::kReadHeld:
      if (held_) compare_feeds(*held_->snapshot, held_->world, action.x);
      break;
    default:
      break;
  }
}

void Simulation::store(const Action& action) {
  const auto at = walks_.begin() + static_cast<std::ptrdiff_t>(action.x % walks_.size());
  const auto replace = action.k % 2 == 0 ? Replace::kKeepValid : Replace::kAlways;
  (void)rules::store(storage_, *at, replace, clock_.now());
  walks_.erase(at);
}

// ---- settings, loads, time

void Simulation::apply_settings(const Action& action) {
  feed::FeedSettings settings = storage_.snapshot()->state().settings;
  switch (action.act) {
    case Act::kPolicy:
      settings.policy = static_cast<feed::Policy>(action.k % 4);
      break;
    case Act::kCap:
      settings.cap = 1 + action.x % 6;
      break;
    case Act::kTiers:
      settings.influencer_from = 1 + action.x % 4;
      settings.celebrity_above = settings.influencer_from + action.k % 3;
      rules::put_settings(storage_, settings, clock_.now());
      // Others wait for theirs, as after a crash, until all consumers have run.
      (void)rules::settle_tiers(storage_, 1 + action.a % 4, clock_.now());
      return;
    case Act::kRetire:
      return rules::retire_marks(storage_);
    case Act::kLoadEdges:
      return load_edges(action);
    case Act::kLoadPosts:
      return load_posts(action);
    default:
      return;
  }
  rules::put_settings(storage_, settings, clock_.now());
}

void Simulation::load_edges(const Action& action) {
  std::vector<LoadedEdge> edges;
  for (std::uint32_t i = 0; i <= action.x % 3; ++i) {
    const LoadedEdge edge{user(action.a + i), user(action.b + 3 * i)};
    const bool there = world_.users.contains(edge.follower) && world_.users.contains(edge.followee);
    if (edge.follower == edge.followee || !there) continue;
    edges.push_back(edge);
    const bool severed = world_.blocks.contains({edge.follower, edge.followee}) ||
                         world_.blocks.contains({edge.followee, edge.follower});
    if (!severed) world_.follows.insert({edge.follower, edge.followee});
  }
  for (std::span<const LoadedEdge> left = edges; !left.empty();) {
    left = left.subspan(rules::load_edges(storage_, left, clock_.now()).taken);
  }
}

void Simulation::load_posts(const Action& action) {
  std::vector<LoadedPost> posts;
  for (std::uint32_t i = 0; i <= action.k % 3; ++i) {
    const UserNumber author = user(action.a + i);
    if (!world_.users.contains(author)) continue;
    const std::int64_t ago = action.x % 5 == 0 ? 30 * kDayMs : (action.x + 7 * i) % 45;
    posts.push_back({SourceId{++sources_}, author, Time{clock_.now().ms - ago}, "#loaded"});
  }
  if (posts.empty()) return;
  (void)rules::load_posts(storage_, posts, clock_.now());
  learn_loaded();
}

// Ids of loaded posts are the store's to choose.
void Simulation::learn_loaded() {
  const auto snapshot = storage_.snapshot();
  const auto last = snowflake::ticks(snapshot->state().last_id.value);
  std::size_t loaded = 0;
  for (const Post& post : reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 100'000)) {
    if (!post.source) continue;
    ++loaded;
    if (snowflake::ticks(post.id.value) > last) mismatch("a loaded post is above live ids");
    world_.posts[post.id] = {post.author, post.privacy, post.original};
  }
  if (loaded == 0) mismatch("loaded posts are not there");
}

void Simulation::apply_time(const Action& action) {
  constexpr std::array<std::int64_t, 7> kSteps{0, 1, 1, 2, 5, -1, -8};
  if (action.act == Act::kClock) clock_.advance(kSteps[action.x % kSteps.size()]);
  if (action.act == Act::kDays) clock_.advance((action.x % 4 == 0 ? -1 : 1) * kDayMs);
}

}  // namespace chirp::test
