// Goal: whatever happens, and however often a reader comes and goes, nothing of the contract is
// lost, nothing comes twice, and ids rise.
// Method: random worlds with readers who are fast or slow, fall behind, leave and come back with
// their last id. What each is due is written down from the contract and the state at each sending.
// Where only content comes and goes, what a reader has put together equals the feed in the end.
#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/feed/home_feed.h"
#include "core/ports/reads.h"
#include "server/live/streams.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_outlet.h"
#include "tests/support/live_world.h"
#include "tests/support/seeds.h"

namespace chirp::test::live_test {
namespace {

using live::place_after;
using live::place_at_end;
using live::StepResult;
using live::Streams;

PostId post_id(const std::string& text) { return PostId{text.empty() ? 0 : std::stoull(text)}; }

std::string counts_of(std::string_view data) {
  return json_value(data, "likeCount") + ' ' + json_value(data, "commentCount") + ' ' +
         json_value(data, "repostCount");
}

// A reader as the contract sees it: what it has, and what it is still due.
class Reader {
 public:
  Reader(UserNumber viewer, FakeOutlet::Speed speed) : viewer_(viewer), speed_(speed) {}

  [[nodiscard]] UserNumber viewer() const { return viewer_; }
  [[nodiscard]] bool online() const { return outlet_ != nullptr; }
  [[nodiscard]] FakeOutlet& outlet() { return *outlet_; }
  [[nodiscard]] const std::map<PostId, PostId>& feed() const { return feed_; }
  [[nodiscard]] const std::map<PostId, std::string>& counts() const { return counts_; }

  // Comes, or comes back.
  void connect(Streams& streams, const Snapshot& snapshot, std::int64_t now) {
    const StoreState state = snapshot.state();
    live::Joining joining;
    joining.viewer = viewer_;
    joining.place = last_id_ ? place_after(snapshot, digests(), *live::parse_event_id(last_text_))
                             : place_at_end(snapshot, digests());
    joining.opened_at = state.log_end;
    joining.outlet = outlet_ = std::make_shared<FakeOutlet>(speed_);
    joining.still_allowed = [] { return true; };
    if (!last_id_) begin(snapshot, state);
    sent_here_.clear();
    counts_.clear();
    counted_at_.clear();
    streams.join(std::move(joining), now);
  }
  void leave() {
    if (outlet_) outlet_->leave();
    outlet_.reset();
  }

  // Before a step: what it is due in this state.
  void look(const LiveWorld& world, const LiveState& state, const std::vector<events::Event>& log) {
    state_ = &state;
    for (auto& [message, holds] : due_) {
      const auto& event = log.at(message.first / 4 - 1);
      holds = holds && world.meaning(state, event, viewer_).contains(message);
    }
    for (; considered_to_ <= log.size(); ++considered_to_) {
      for (const auto& one : world.meaning(state, log[considered_to_ - 1], viewer_))
        due_[one] = true;
    }
  }
  // After a step.
  void check_sent(const LiveWorld& world, const std::vector<events::Event>& log, std::int64_t now) {
    for (const Block& block : outlet_->take_sent()) {
      if (block.event == "counts") {
        const PostId post = post_id(json_value(block.data, "postId"));
        const auto [at, first] = counted_at_.try_emplace(post, now);
        CHECK((first || now - at->second >= limits::kStreamCountsMs));
        at->second = now;
      } else if (!block.event.empty()) {
        REQUIRE(block.id);
        const auto& event = log.at(*block.id / 4 - 1);
        CHECK(meaning(world, event).contains({*block.id, block.event}));
        if (block.event == "post") note_sent(block);
      }
    }
  }
  void check_received() {
    for (const Block& block : outlet_->take_received()) {
      if (block.id) take(block);
      if (block.event == "post") add(block);
      if (block.event == "post_removed") remove(post_id(json_value(block.data, "postId")));
      if (block.event == "post" || block.event == "counts") {
        counts_[post_id(json_value(block.data, "postId"))] = counts_of(block.data);
      }
    }
  }
  // Whether everything that was due has come.
  void check_nothing_left() const {
    for (const auto& [message, holds] : due_) {
      CAPTURE(message.first);
      CAPTURE(message.second);
      CHECK(!holds);
    }
  }

 private:
  // Whatever was sent on this connection is taken back, besides.
  [[nodiscard]] std::set<NaiveMessage> meaning(const LiveWorld& world,
                                               const events::Event& event) const {
    auto messages = world.meaning(*state_, event, viewer_);
    const bool removal =
        event.topic == events::Topic::kPostRemoved || event.topic == events::Topic::kRepostRemoved;
    if (removal && sent_here_.contains(event.post)) {
      messages.emplace(event.sequence.value * 4, "post_removed");
    }
    return messages;
  }

  void begin(const Snapshot& snapshot, const StoreState& state) {
    considered_to_ = state.log_end.value;
    due_.clear();
    feed_.clear();
    const World world = world_of(snapshot);
    for (const Entry& entry : naive_feed(world, viewer_)) {
      const PostId original = world.posts.at(entry.id).original;
      feed_[entry.id] = original == kBelowAllPosts ? entry.id : original;
    }
  }

  void take(const Block& block) {
    CHECK((!last_id_ || *block.id > *last_id_));
    last_id_ = block.id;
    last_text_ = block.id_text;
    due_.erase({*block.id, block.event});
    while (!due_.empty() && due_.begin()->first.first <= *block.id) {
      const auto& [message, holds] = *due_.begin();
      CAPTURE(message.first);
      CAPTURE(message.second);
      CAPTURE(*block.id);
      CHECK(!holds);
      due_.erase(due_.begin());
    }
  }

  static PostId entry_of(const Block& block) {
    const std::size_t reposted = block.data.find("\"repostedBy\":");
    return post_id(json_value(
        reposted == std::string::npos ? block.data : block.data.substr(reposted), "postId"));
  }
  void note_sent(const Block& block) {
    sent_here_.insert(entry_of(block));
    sent_here_.insert(post_id(json_value(block.data, "postId")));
  }
  void add(const Block& block) {
    feed_[entry_of(block)] = post_id(json_value(block.data, "postId"));
  }
  void remove(PostId post) {
    std::erase_if(feed_, [&](const auto& one) { return one.first == post || one.second == post; });
  }

  UserNumber viewer_;
  FakeOutlet::Speed speed_;
  std::shared_ptr<FakeOutlet> outlet_;
  const LiveState* state_ = nullptr;
  std::optional<std::uint64_t> last_id_;  // received …
  std::string last_text_;                 // … with its digest
  std::uint64_t considered_to_ = 1;       // the first event that it has not been due anything of
  std::map<NaiveMessage, bool> due_;      // whether it held in every state since, while connected
  std::set<PostId> sent_here_;
  std::map<PostId, PostId> feed_;         // entries that the reader has, and their originals
  std::map<PostId, std::string> counts_;  // as last heard on this connection
  std::map<PostId, std::int64_t> counted_at_;
};

class Scene {
 public:
  Scene(const StoreKind& kind, std::uint64_t seed, Acts acts)
      : world_(kind, seed), acts_(acts), streams_(world_.subject().storage(), digests()) {
    for (std::uint32_t user = 1; user <= LiveWorld::kUsers; ++user) {
      readers_.emplace_back(UserNumber{user}, FakeOutlet::Speed::kFast);
      readers_.emplace_back(UserNumber{user}, FakeOutlet::Speed::kSlow);
    }
    for (Reader& reader : readers_) connect(reader);
  }

  void run() {
    for (int i = 0; i < 300; ++i) {
      CAPTURE(i);
      const std::uint64_t acts = world_.below(20) == 0 ? 60 : world_.below(4);
      for (std::uint64_t act = 0; act < acts; ++act) world_.act(acts_);
      now_ += static_cast<std::int64_t>(world_.below(world_.below(30) == 0 ? 16'000 : 60));
      come_and_go();
      step();
      for (Reader& reader : readers_) {
        if (reader.online()) reader.outlet().receive(world_.below(6));
      }
      receive();
    }
    settle();
  }

 private:
  void connect(Reader& reader) { reader.connect(streams_, *world_.subject().see(), now_); }

  void come_and_go() {
    Reader& reader = readers_[world_.below(readers_.size())];
    const std::uint64_t drawn = world_.below(10);
    if (drawn == 0) reader.leave();
    if (drawn >= 6 && !reader.online()) connect(reader);
  }

  void step() {
    const auto snapshot = world_.subject().see();
    const LiveState state = LiveWorld::state_of(*snapshot);
    const auto log = reads::events(*snapshot, Sequence{1}, kAll);
    for (Reader& reader : readers_) {
      if (reader.online()) reader.look(world_, state, log);
    }
    last_ = streams_.step(now_);
    for (Reader& reader : readers_) {
      if (reader.online()) reader.check_sent(world_, log, now_);
    }
  }
  void receive() {
    for (Reader& reader : readers_) {
      if (!reader.online()) continue;
      reader.check_received();
      if (reader.outlet().closed()) reader.leave();
    }
  }

  // Everybody is there and takes in all there is.
  void settle() {
    for (Reader& reader : readers_) {
      if (!reader.online()) connect(reader);
    }
    for (int i = 0; i < 40 || last_ != StepResult::kQuiet; ++i) {
      REQUIRE(i < 2000);
      now_ += 500;
      step();
      for (Reader& reader : readers_) reader.outlet().receive(kAll);
      receive();
    }
    const auto snapshot = world_.subject().see();
    for (Reader& reader : readers_) {
      CAPTURE(reader.viewer().value);
      reader.check_nothing_left();
      if (acts_ == Acts::kContent) compare_with_feed(*snapshot, reader);
    }
  }

  static void compare_with_feed(const Snapshot& snapshot, Reader& reader) {
    const World world = world_of(snapshot);
    std::map<PostId, PostId> feed;
    for (const Entry& entry : naive_feed(world, reader.viewer())) {
      const PostId original = world.posts.at(entry.id).original;
      feed[entry.id] = original == kBelowAllPosts ? entry.id : original;
    }
    CHECK(reader.feed() == feed);
    for (const auto& [post, heard] : reader.counts()) {
      if (!world.posts.contains(post)) continue;
      const ContentId content = content_of(post);
      const ContentCounters counters = snapshot.content_counters({&content, 1}).front();
      CAPTURE(post.value);
      CHECK(heard == fmt::format("{} {} {}", counters.reactions_in_all(), counters.comments,
                                 counters.reposts));
    }
    compare_upwards(snapshot, reader);
  }

  // The feed, read up from an entry that the reader has, holds what the reader has above it.
  static void compare_upwards(const Snapshot& snapshot, Reader& reader) {
    if (reader.feed().empty()) return;
    auto at = reader.feed().begin();
    std::advance(at, reader.feed().size() / 2);
    feed::PageRequest request;
    request.viewer = reader.viewer();
    request.after = at->first;
    request.limit = limits::kPostPageMax;
    const FakeClock clock;
    std::set<PostId> read;
    for (bool more = true; more;) {
      const feed::Page page = feed::home_feed(snapshot, request, clock);
      for (const feed::FeedItem& item : page.items) read.insert(item.post->id);
      more = page.has_more;
      request.after = page.prev_cursor;
    }
    std::set<PostId> had;
    for (++at; at != reader.feed().end(); ++at) had.insert(at->second);
    CHECK(read == had);
  }

  LiveWorld world_;
  Acts acts_;
  Streams streams_;
  std::vector<Reader> readers_;
  std::int64_t now_ = 1'000'000;
  StepResult last_ = StepResult::kQuiet;
};

void play(Acts acts, std::uint64_t usual) {
  for (const StoreKind& kind : store_kinds()) {
    for (std::uint64_t world = 0; world < worlds_on(kind, usual); ++world) {
      const std::uint64_t seed = first_seed() + world;
      CAPTURE(kind.name);
      CAPTURE(seed);
      Scene(kind, seed, acts).run();
    }
  }
}

}  // namespace

TEST_CASE("streams: in random worlds nothing is lost, nothing comes twice, and ids rise") {
  play(Acts::kAnything, 3);
}

TEST_CASE("streams: where posts come and go, a reader ends up with the feed and its counts") {
  play(Acts::kContent, 3);
}

}  // namespace chirp::test::live_test
