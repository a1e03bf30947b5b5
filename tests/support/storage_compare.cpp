#include "tests/support/storage_compare.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

std::vector<feed::AuthorMark> sorted(std::vector<feed::AuthorMark> marks) {
  std::sort(marks.begin(), marks.end(),
            [](const auto& a, const auto& b) { return a.author < b.author; });
  return marks;
}

class Comparison {
 public:
  Comparison(const Storage& model, const Storage& other, std::mt19937_64& random)
      : random_(random),
        model_storage_(model),
        other_storage_(other),
        model_(model.snapshot()),
        other_(other.snapshot()) {
    for (const AuthorCard& card : model_->scan_cards(kNobody, kAll)) {
      (card.presence == Presence::kPresent ? users_ : removed_).push_back(card.number);
      cards_.push_back(card);
    }
    users_.push_back(UserNumber{999});  // nobody
  }

  std::vector<std::string> run() {
    state();
    cards();
    posts();
    reading();
    author_logs();
    edges();
    sources();
    timelines();
    counters();
    reactions();
    threads();
    notices();
    log();
    return std::move(found_);
  }

 private:
  template <class... Args>
  void expect(bool same, fmt::format_string<Args...> format, Args&&... args) {
    if (!same) found_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  PostId some_id() {
    if (ids_.empty() || random_() % 6 == 0) return random_() % 2 ? kBelowAllPosts : kAboveAllPosts;
    return PostId{ids_[random_() % ids_.size()].id.value + random_() % 3 - 1};
  }

  void state() {
    const StoreState a = model_->state();
    const StoreState b = other_->state();
    const auto same = [&](const char* what, std::uint64_t x, std::uint64_t y) {
      expect(x == y, "{}: {} and {}", what, x, y);
    };
    same("generation", a.generation, b.generation);
    same("P0", a.push_from_all.value, b.push_from_all.value);
    same("last id", a.last_id.value, b.last_id.value);
    same("first event", a.log_first.value, b.log_first.value);
    same("end of the log", a.log_end.value, b.log_end.value);
    same("fan-out's offset", a.fan_out.value, b.fan_out.value);
    same("reach of fan-out", a.fan_out_reach.value, b.fan_out_reach.value);
    same("counters' offset", a.counters.value, b.counters.value);
    same("the notifications' offset", a.notifications.value, b.notifications.value);
    same("the trends' offset", a.trends.value, b.trends.value);
    same("fan-out's queue", a.fan_out_queue, b.fan_out_queue);
    same("removed posts", a.post_removals, b.post_removals);
    expect(a.settings == b.settings, "settings");
    expect(
        model_storage_.snapshot()->plain_settings() == other_storage_.snapshot()->plain_settings(),
        "plain settings");
    same("rows in the queue", model_->fan_out_queue(kAll).size(), b.fan_out_queue);
    expect(model_->fan_out_queue(kAll) == other_->fan_out_queue(kAll), "rows of the queue");
    expect(model_->unfinished_removals() == other_->unfinished_removals(), "unfinished removals");
    auto rows = model_->table_rows();
    auto others = other_->table_rows();
    for (const char* table :
         {"cards", "posts", "reposts", "reactions", "comments", "follows", "timelines", "events"}) {
      same(table, rows[table], others[table]);
    }
    for (const std::string& problem : other_->problems()) expect(false, "problem: {}", problem);
    expect(a.passed == b.passed, "the time that has passed");
  }

  void cards() {
    expect(other_->scan_cards(kNobody, kAll) == cards_, "cards");
    const auto after = static_cast<std::uint32_t>(random_() % (cards_.size() + 1));
    expect(model_->scan_cards(UserNumber{after}, 2) == other_->scan_cards(UserNumber{after}, 2),
           "cards above {}", after);
    std::vector<SourceId> asked;
    for (std::uint64_t source = 0; source < 40; ++source) asked.push_back(SourceId{source});
    expect(model_storage_.snapshot()->numbers_of(asked) ==
               other_storage_.snapshot()->numbers_of(asked),
           "source ids");
    for (const AuthorCard& card : cards_) {
      expect(model_->number_of(card.id) == other_->number_of(card.id), "number of {}",
             card.number.value);
    }
    expect(model_->cards(users_) == other_->cards(users_), "cards asked for");
  }

  void posts() {
    const auto all = model_->scan_posts(kBelowAllPosts, kAll);
    expect(all == other_->scan_posts(kBelowAllPosts, kAll), "posts");
    for (const Post& post : all) ids_.push_back({post.id, post.author});
    for (const events::Event& event : model_->events(Sequence{1}, kAll)) {
      if (event.post.value != 0) ids_.push_back({event.post, event.actor});  // of removed ones too
    }
    expect(model_->posts(ids_) == other_->posts(ids_), "posts asked for");
    for (const Entry& entry : ids_) {
      expect(model_->post(entry.id) == other_->post(entry.id), "post {}", entry.id.value);
    }
    reposts();
    const PostId from = some_id();
    expect(model_->scan_posts(from, 3) == other_->scan_posts(from, 3), "posts above {}",
           from.value);
  }

  void reposts() {
    std::vector<PostId> ids;
    for (const Entry& entry : ids_) ids.push_back(entry.id);
    for (const UserNumber user : users_) {
      expect(model_->reposts_by(user, ids) == other_->reposts_by(user, ids), "reposts by {}",
             user.value);
    }
    for (const PostId id : ids) {
      const auto after = UserNumber{static_cast<std::uint32_t>(random_() % 5)};
      expect(model_->reposts(id, after, 2) == other_->reposts(id, after, 2), "reposts of {}",
             id.value);
    }
  }

  void reading() {
    for (const AuthorCard& card : cards_) {
      expect(model_->reading(card.number) == other_->reading(card.number), "how far {} has read",
             card.number.value);
    }
  }

  void author_logs() {
    for (int i = 0; i < 6; ++i) {
      std::vector<UserNumber> authors;
      for (const AuthorCard& card : cards_) {
        if (random_() % 3 != 0) authors.push_back(card.number);
      }
      const IdRange range{some_id(), some_id()};
      const auto direction = random_() % 2 ? Direction::kUp : Direction::kDown;
      const auto limit = static_cast<std::uint32_t>(1 + random_() % 12);
      expect(model_->author_entries(authors, range, direction, limit) ==
                 other_->author_entries(authors, range, direction, limit),
             "author logs in ({}, {})", range.above.value, range.below.value);
    }
  }

  void edges() {
    for (const AuthorCard& card : cards_) {
      const UserNumber user = card.number;
      const auto after = UserNumber{static_cast<std::uint32_t>(random_() % (cards_.size() + 1))};
      const auto limit = static_cast<std::uint32_t>(1 + random_() % cards_.size());
      const auto same = [](const EdgePage& a, const EdgePage& b) {
        return a.edges == b.edges && a.more == b.more;
      };
      expect(same(model_->following(user, after, limit), other_->following(user, after, limit)),
             "following of {}", user.value);
      expect(same(model_->followers(user, after, limit), other_->followers(user, after, limit)),
             "followers of {}", user.value);
      for (const UserNumber other : users_) {
        expect(model_->follows(user, other) == other_->follows(user, other),
               "whether {} follows {}", user.value, other.value);
      }
    }
  }

  // Posts that are there: of the others a store may keep as many as it likes.
  std::vector<Entry> shown(const std::vector<Entry>& entries) const {
    std::vector<Entry> result;
    for (const Entry& entry : entries) {
      if (model_->post(entry.id)) result.push_back(entry);
    }
    return result;
  }

  void sources() {
    for (const UserNumber viewer : users_) {
      const FeedSources a = model_->feed_sources(viewer);
      const FeedSources b = other_->feed_sources(viewer);
      expect(a.has_timeline == b.has_timeline, "whether {} has a timeline", viewer.value);
      if (a.has_timeline) expect(a.last_read == b.last_read, "last read of {}", viewer.value);
      expect(a.following == b.following, "followees of {}", viewer.value);
      expect(sorted(a.marks) == sorted(b.marks), "marks for {}", viewer.value);
      expect(shown(a.pending) == shown(b.pending), "pending posts for {}", viewer.value);
      expect(b.state.version == other_->state().version, "version for {}", viewer.value);
    }
    for (const UserNumber gone : removed_) {
      const FeedSources b = other_->feed_sources(gone);
      expect(!b.has_timeline && b.following.empty() && b.pending.empty(), "sources of removed {}",
             gone.value);
    }
  }

  // What both claim to be complete is the same in both.
  void timelines() {
    const std::uint32_t slack = model_->state().settings.cap / 8 + 1;
    expect(model_->scan_timelines(kNobody, kAll) == other_->scan_timelines(kNobody, kAll),
           "who has a timeline");
    for (const UserNumber viewer : users_) {
      const auto a = model_->timeline(viewer);
      const auto b = other_->timeline(viewer);
      if (!a || !b) continue;
      expect(a->generation == b->generation, "generation of {}", viewer.value);
      expect(a->last_read == b->last_read, "day of {}", viewer.value);
      expect(b->complete_from >= a->complete_from, "C of {} below the model's", viewer.value);
      expect(b->entries.size() + std::max(slack, largest_slack_) >= a->entries.size(),
             "{} keeps {} entries of {}", viewer.value, b->entries.size(), a->entries.size());
      const PostId from = std::max(a->complete_from, b->complete_from);
      const auto complete = [&](const Timeline& timeline) {
        std::vector<Entry> entries = timeline.entries;
        std::erase_if(entries, [&](const Entry& entry) { return entry.id < from; });
        return entries;
      };
      expect(complete(*a) == complete(*b), "timeline of {} from {}", viewer.value, from.value);
      const IdRange range{std::max(some_id(), PostId{from.value == 0 ? 0 : from.value - 1}),
                          some_id()};
      for (const auto direction : {Direction::kDown, Direction::kUp}) {
        expect(model_->timeline_entries(viewer, range, direction, 3) ==
                   other_->timeline_entries(viewer, range, direction, 3),
               "entries of {} in ({}, {})", viewer.value, range.above.value, range.below.value);
      }
    }
  }

  void counters() {
    expect(model_->counters(users_) == other_->counters(users_), "counters");
    const auto stored = [&](const Snapshot& snapshot) {
      std::map<UserNumber, UserCounters> result;
      for (const auto& [user, counters] : snapshot.scan_counters(kNobody, kAll)) {
        const bool there = std::binary_search(users_.begin(), users_.end(), user);
        if (there && counters != UserCounters{}) result[user] = counters;
      }
      return result;
    };
    expect(stored(*model_) == stored(*other_), "stored counters");
    for (const UserNumber user : users_) {
      expect(model_->mark(user) == other_->mark(user), "mark of {}", user.value);
    }
    const auto marks = [&](const Snapshot& snapshot) {
      auto result = snapshot.scan_marks(kNobody, kAll);
      std::erase_if(result, [&](const feed::AuthorMark& mark) {
        return !std::binary_search(users_.begin(), users_.end(), mark.author);
      });
      return result;
    };
    expect(marks(*model_) == marks(*other_), "marks");
  }

  void notices() {
    expect(model_->scan_notifications(kNobody, Sequence{0}, kAll) ==
               other_->scan_notifications(kNobody, Sequence{0}, kAll),
           "notifications");
    expect(model_->tagged_posts(kAboveAllPosts, kAll) == other_->tagged_posts(kAboveAllPosts, kAll),
           "hashtags");
  }

  void reactions() {
    expect(model_->scan_reactions({}, kNobody, kAll) == other_->scan_reactions({}, kNobody, kAll),
           "reactions");
    const ContentId some = content_of(some_id());
    expect(model_->scan_reactions(some, UserNumber{2}, 3) ==
               other_->scan_reactions(some, UserNumber{2}, 3),
           "reactions from {} on", some.value);
    std::vector<ContentId> contents;
    for (const Entry& entry : ids_) contents.push_back(content_of(entry.id));
    for (const Comment& comment : model_->scan_comments(kNoComment, kAll)) {
      contents.push_back(content_of(comment.id));
    }
    expect(model_->content_counters(contents) == other_->content_counters(contents),
           "counters of contents");
    expect(model_->scan_content_counters({}, kAll) == other_->scan_content_counters({}, kAll),
           "stored counters of contents");
    expect(model_->unfinished_post_removals() == other_->unfinished_post_removals(),
           "removed posts and comments");
    for (const UserNumber user : users_) {
      expect(model_->reactions_of(user, contents) == other_->reactions_of(user, contents),
             "reactions of {}", user.value);
      expect(model_->recent_partners(user, 4) == other_->recent_partners(user, 4),
             "recent partners of {}", user.value);
    }
    for (const ContentId content : contents) {
      const UserNumber after{static_cast<std::uint32_t>(random_() % 4)};
      const auto type = random_() % 2 ? std::optional(ReactionType::kLike) : std::nullopt;
      expect(
          model_->reactions(content, after, type, 2) == other_->reactions(content, after, type, 2),
          "reactions to {}", content.value);
    }
  }

  void threads() {
    const auto comments = model_->scan_comments(kNoComment, kAll);
    expect(comments == other_->scan_comments(kNoComment, kAll), "comments");
    for (const Comment& comment : comments) {
      const CommentId bound{comment.id.value + random_() % 3 - 1};
      const CommentId parent = random_() % 2 ? comment.parent : comment.id;
      for (const auto direction : {Direction::kDown, Direction::kUp}) {
        expect(model_->thread(comment.post, parent, bound, direction, 3) ==
                   other_->thread(comment.post, parent, bound, direction, 3),
               "thread of {} from {}", parent.value, bound.value);
      }
    }
  }

  void log() {
    const auto from = Sequence{1 + random_() % model_->state().log_end.value};
    expect(settled(model_->events(Sequence{1}, kAll)) == settled(other_->events(Sequence{1}, kAll)),
           "events");
    expect(model_->events(from, 3).size() == other_->events(from, 3).size(), "events from {}",
           from.value);
  }

  static constexpr std::uint32_t largest_slack_ = 6;  // of the largest cap that the worlds use

  std::mt19937_64& random_;
  const Storage& model_storage_;
  const Storage& other_storage_;
  std::unique_ptr<Snapshot> model_;
  std::unique_ptr<Snapshot> other_;
  std::vector<AuthorCard> cards_;
  std::vector<UserNumber> users_;
  std::vector<UserNumber> removed_;
  std::vector<Entry> ids_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<events::Event> settled(std::vector<events::Event> log) {
  const auto free = [](const events::Event& event) {
    return event.topic == events::Topic::kTierChanged || event.topic == events::Topic::kLoadBatch;
  };
  const auto order = [](const events::Event& a, const events::Event& b) {
    return std::tuple(a.topic, a.actor, a.rows) < std::tuple(b.topic, b.actor, b.rows);
  };
  for (auto at = log.begin(); at != log.end();) {
    const auto end = free(*at) ? std::find_if_not(at, log.end(), free) : at + 1;
    std::sort(at, end, order);
    if (free(*at)) {
      std::for_each(at, end, [&](events::Event& event) { event.sequence = log.front().sequence; });
    }
    at = end;
  }
  return log;
}

std::vector<std::string> differences(const Storage& model, const Storage& other,
                                     std::mt19937_64& random) {
  return Comparison(model, other, random).run();
}

}  // namespace chirp::test
