#include "cli/lab/play.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/bench/reference/written.h"
#include "cli/process.h"
#include "core/engine.h"
#include "core/error.h"
#include "core/hot/hot_set.h"
#include "core/lab/lab_clock.h"
#include "core/lab/stage.h"
#include "core/limits.h"

namespace chirp::cli::lab {
namespace {

constexpr std::int64_t kSettleMs = kSecondMs;
constexpr std::size_t kMoments = 60;  // number of samples of a timeline
constexpr std::uint64_t kRecordBytes = 24;

// Whether only this post is refused, so that the play goes on.
bool is_refusal(ErrorCode code) {
  return code == ErrorCode::kInvalidArgument || code == ErrorCode::kNotFound ||
         code == ErrorCode::kForbidden || code == ErrorCode::kConflict;
}

std::uint64_t timeline_bytes(const store::DataDirectory& directory) {
  std::uint64_t bytes = 0;
  for (const store::TableBytes& table : directory.table_bytes()) {
    if (table.store == "engine" && table.table.starts_with("timeline")) bytes += table.bytes;
  }
  return bytes;
}

void count_origins(const std::vector<Entry>& entries, TimelineMoment& moment) {
  for (const Entry& entry : entries) {
    ++(entry.origin == Origin::kPushed ? moment.pushed : moment.backfilled);
  }
}

class Player {
 public:
  Player(store::DataDirectory& copy, const Script& script, const Case& what, const Clock& machine)
      : copy_(copy),
        script_(script),
        clock_(machine),
        hasher_(store::bcrypt_hasher()),
        hot_(what.cache_bytes == 0
                 ? nullptr
                 : std::make_unique<hot::HotSet>(copy.storage(), clock_, what.cache_bytes)),
        engine_(copy.storage(), copy.users(), *hasher_, clock_, hot_.get()),
        consumers_(copy.storage(), clock_, {.large = limits::kLargeFanOut}, script.model),
        watches_(what.policy == feed::Policy::kPush && what.cache_bytes == 0),
        next_look_(script.day.from) {
    played_.what = what;
    clock_.set(script.day.from);
  }

  void put_in_force(feed::FeedSettings settings) {
    settings.policy = played_.what.policy;
    if (const auto& threshold = played_.what.threshold) {
      settings.celebrity_above = *threshold;
      settings.influencer_from = std::min(settings.influencer_from, *threshold);
    }
    chirp::lab::settle_policy(copy_.storage(), clock_, settings);
  }

  [[nodiscard]] Played run() {
    if (hot_) warm_up();
    const auto disk = bench::bytes_written_by_disk(copy_.place().folder());
    auto post = script_.day.posts.begin();
    auto read = script_.reads.begin();
    while (post != script_.day.posts.end() || read != script_.reads.end()) {
      OrderlyEnd::check();
      const bool is_post =
          read == script_.reads.end() || (post != script_.day.posts.end() && post->at <= read->at);
      move_to(is_post ? post->at : read->at);
      if (is_post) {
        publish(*post++);
      } else {
        show((read++)->reader);
      }
    }
    settle();
    look_until(script_.day.to);
    finish_day();
    if (disk) {
      const auto after = bench::bytes_written_by_disk(copy_.place().folder());
      if (after) played_.disk_bytes = *after - *disk;
    }
    tell_state();
    compare_pages();
    return std::move(played_);
  }

 private:
  // Reads the feeds of the readers of the day before, at their times, as a running server would
  // have. After_read() notes again whether they read on the played day.
  void warm_up() {
    const Time since{script_.day.from.ms - kDayMs};
    std::set<UserNumber> readers;
    for (const PlannedRead& read : script_.reads) readers.insert(read.reader);
    std::set<std::pair<Time, UserNumber>> before;
    for (const UserNumber reader : readers) {
      const Time last = script_.model.last_read_before(reader, script_.day.from);
      if (last >= since) before.emplace(last, reader);
    }
    for (const auto& [at, reader] : before) {
      clock_.set(at);
      feed::PageRequest request;
      request.viewer = reader;
      const feed::Page page = engine_.feeds().page(request);
      engine_.feeds().after_read(reader, page.upkeep, std::nullopt);
    }
    clock_.set(script_.day.from);
  }

  void move_to(Time at) {
    if (unsettled_ && at.ms / kSettleMs != clock_.now().ms / kSettleMs) settle();
    look_until(at);
    clock_.set(at);
  }

  void publish(const chirp::lab::PlayedPost& planned) {
    const PlannedAuthor& author = script_.authors.at(planned.post.author);
    meter_.turn_to(Meter::Work::kPosts);
    const std::int64_t before = processor_ns();
    try {
      const social::Published published = write(author.user, planned.post);
      if (published.publication == social::Publication::kRepeated) {
        ++played_.refused;
        return;
      }
      minted_[planned.post.id] = published.view.post.id;
    } catch (const Error& error) {
      if (!is_refusal(error.code())) throw;
      ++played_.refused;
      return;
    }
    ++played_.posts;
    played_.post_bytes += planned.post.text.size() + kRecordBytes;
    unsettled_ns_ += processor_ns() - before;
    ++unsettled_;
    last_author_ = &author;
  }

  social::Published write(const User& author, const Post& post) {
    if (!post.is_repost()) {
      return engine_.posts().publish(author, social::NewPost{post.text, post.privacy});
    }
    const auto minted = minted_.find(post.original);
    return engine_.posts().repost(author, minted == minted_.end() ? post.original : minted->second);
  }

  // Delivers and counts pending events, like upkeep.
  void settle() {
    if (unsettled_ == 0) return;
    meter_.turn_to(Meter::Work::kPosts);
    const std::int64_t before = processor_ns();
    while (consumers_.step()) continue;
    unsettled_ns_ += processor_ns() - before;
    if (unsettled_ == 1) {
      PostCost& cost =
          played_.by_followers[static_cast<int>(std::bit_width(last_author_->followers))];
      ++cost.posts;
      cost.followers += last_author_->followers;
      cost.processor_ns += unsettled_ns_;
    }
    unsettled_ = 0;
    unsettled_ns_ = 0;
  }

  // Does the daily upkeep.
  void finish_day() {
    meter_.turn_to(Meter::Work::kPosts);
    while (consumers_.remove_traces()) continue;
    consumers_.tidy();
    meter_.turn_to(Meter::Work::kAside);
  }

  void show(UserNumber reader) {
    meter_.turn_to(Meter::Work::kReads);
    feed::PageRequest request;
    request.viewer = reader;
    const std::int64_t start = clock_.steady_ns();
    const feed::Page page = engine_.feeds().page(request);
    played_.latency.add(static_cast<std::uint64_t>(clock_.steady_ns() - start));
    ++played_.reads;
    played_.sources += page.cost.sources;
    played_.examined += page.cost.examined;
    if (page.cost.from_memory) ++played_.from_memory;
    if (page.cost.sources != 0) consumers_.note_read(reader);
    if (page.upkeep == feed::Upkeep::kNone) return;
    engine_.feeds().after_read(reader, page.upkeep, reading_share());
  }

  // The share of pages read from the store; the cost rule weighs sources by it.
  [[nodiscard]] double reading_share() const {
    return 1 - static_cast<double>(played_.from_memory) / static_cast<double>(played_.reads);
  }

  // Samples the watched timeline at all times that are due before `at`.
  void look_until(Time at) {
    if (!watches_ || !script_.watched) return;
    const std::int64_t length = script_.day.to.ms - script_.day.from.ms;
    while (next_look_ <= at && played_.life.size() <= kMoments) {
      meter_.turn_to(Meter::Work::kAside);
      const auto timeline = copy_.storage().snapshot()->timeline(*script_.watched);
      TimelineMoment moment{next_look_};
      if (timeline) count_origins(timeline->entries, moment);
      played_.life.push_back(moment);
      const auto looks = static_cast<std::int64_t>(played_.life.size());
      next_look_ = Time{script_.day.from.ms + length * looks / static_cast<std::int64_t>(kMoments)};
    }
  }

  void tell_state() {
    const auto snapshot = copy_.storage().snapshot();
    const StoreState state = snapshot->state();
    played_.deliveries = consumers_.deliveries();
    played_.delivery_ns = state.delivery_ns;
    played_.source_ns = state.source_ns;
    for (const auto& [number, author] : script_.authors) {
      const auto mark = snapshot->find(tables::Marks::Key{number});
      const PostId own = mark ? mark->push_from : feed::kAlwaysPushed;
      if (std::max(own, state.push_from_all) == feed::kNeverPushed) ++played_.pulled_authors;
    }
    played_.for_posts = meter_.posts();
    played_.for_reads = meter_.reads();
    played_.timeline_bytes = timeline_bytes(copy_);
  }

  void compare_pages() {
    const auto snapshot = copy_.storage().snapshot();
    for (const UserNumber reader : script_.checked) {
      feed::PageRequest request;
      request.viewer = reader;
      const feed::Page page = engine_.feeds().page(request);
      std::vector<PostId> ids;
      for (const feed::FeedItem& item : page.items) ids.push_back(item.entry);
      played_.pages.push_back(std::move(ids));
      if (feed::wrong_in(*snapshot, request, page)) ++played_.wrong_pages;
    }
  }

  store::DataDirectory& copy_;
  const Script& script_;
  chirp::lab::LabClock clock_;
  std::unique_ptr<PasswordHasher> hasher_;
  std::unique_ptr<hot::HotSet> hot_;
  Engine engine_;
  events::Consumers consumers_;
  Meter meter_;
  bool watches_;
  Time next_look_;
  std::map<PostId, PostId> minted_;  // by the post's original id
  // Posts of this second that the consumers have not processed.
  std::uint64_t unsettled_ = 0;
  std::int64_t unsettled_ns_ = 0;
  const PlannedAuthor* last_author_ = nullptr;
  Played played_;
};

}  // namespace

std::string name_of(const Case& played) {
  const std::string policy(feed::name(played.policy));
  return played.threshold ? fmt::format("{} above {}", policy, *played.threshold) : policy;
}

Played play(store::DataDirectory& copy, const Script& script, const Case& what,
            const feed::FeedSettings& settings, const Clock& machine) {
  Player player(copy, script, what, machine);
  player.put_in_force(settings);
  return player.run();
}

std::int64_t processor_ns() {
  timespec time{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void Meter::turn_to(Work work) {
  if (work == work_) return;
  // Reading the system's counters takes longer than a feed read, so it is charged to no work.
  const std::int64_t ended = processor_ns();
  const std::uint64_t bytes = bench::bytes_handed_to_writes();
  if (work_ != Work::kAside) {
    Spent& spent = work_ == Work::kPosts ? posts_ : reads_;
    spent.processor_ns += ended - began_.processor_ns;
    spent.bytes_written += bytes - began_.bytes_written;
  }
  work_ = work;
  began_ = {processor_ns(), bytes};
}

}  // namespace chirp::cli::lab
