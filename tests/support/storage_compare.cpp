#include "tests/support/storage_compare.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "tests/support/source_keys.h"
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
    for (const AuthorCard& card : reads::rows_above<tables::Cards>(*model_, {kNobody}, kAll)) {
      (card.presence != Presence::kRemoved ? users_ : removed_).push_back(card.number);
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
    same("changes without an event", a.unlogged, b.unlogged);
    expect(a.settings == b.settings, "settings");
    expect(reads::plain_settings(*model_storage_.snapshot()) ==
               reads::plain_settings(*other_storage_.snapshot()),
           "plain settings");
    same("rows in the queue", reads::fan_out_queue(*model_, kAll).size(), b.fan_out_queue);
    expect(reads::fan_out_queue(*model_, kAll) == reads::fan_out_queue(*other_, kAll),
           "rows of the queue");
    expect(reads::unfinished_removals(*model_) == reads::unfinished_removals(*other_),
           "unfinished removals");
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
    expect(reads::rows_above<tables::Cards>(*other_, {kNobody}, kAll) == cards_, "cards");
    const auto after = static_cast<std::uint32_t>(random_() % (cards_.size() + 1));
    expect(reads::rows_above<tables::Cards>(*model_, {UserNumber{after}}, 2) ==
               reads::rows_above<tables::Cards>(*other_, {UserNumber{after}}, 2),
           "cards above {}", after);
    const std::vector<SourceKey> asked = drawn_sources(40);
    expect(reads::numbers_of(*model_storage_.snapshot(), asked) ==
               reads::numbers_of(*other_storage_.snapshot(), asked),
           "source ids");
    for (const AuthorCard& card : cards_) {
      expect(model_->find(tables::UserIds::Key{card.id}) ==
                 other_->find(tables::UserIds::Key{card.id}),
             "number of {}", card.number.value);
    }
    expect(reads::cards(*model_, users_) == reads::cards(*other_, users_), "cards asked for");
  }

  void posts() {
    const auto all = reads::rows_above<tables::Posts>(*model_, {kBelowAllPosts}, kAll);
    expect(all == reads::rows_above<tables::Posts>(*other_, {kBelowAllPosts}, kAll), "posts");
    for (const Post& post : all) ids_.push_back({post.id, post.author});
    for (const events::Event& event : reads::events(*model_, Sequence{1}, kAll)) {
      if (event.post.value != 0) ids_.push_back({event.post, event.actor});  // of removed ones too
    }
    expect(model_->posts(ids_) == other_->posts(ids_), "posts asked for");
    for (const Entry& entry : ids_) {
      expect(model_->post(entry.id) == other_->post(entry.id), "post {}", entry.id.value);
    }
    reposts();
    const PostId from = some_id();
    expect(reads::rows_above<tables::Posts>(*model_, {from}, 3) ==
               reads::rows_above<tables::Posts>(*other_, {from}, 3),
           "posts above {}", from.value);
  }

  void reposts() {
    std::vector<PostId> ids;
    for (const Entry& entry : ids_) ids.push_back(entry.id);
    for (const UserNumber user : users_) {
      std::vector<tables::RepostsOf::Key> keys;
      for (const PostId id : ids) keys.push_back({id, user});
      expect(model_->find_all(keys) == other_->find_all(keys), "reposts by {}", user.value);
    }
    for (const PostId id : ids) {
      const auto after = UserNumber{static_cast<std::uint32_t>(random_() % 5)};
      expect(reads::reposts(*model_, id, after, 2) == reads::reposts(*other_, id, after, 2),
             "reposts of {}", id.value);
    }
  }

  void reading() {
    for (const AuthorCard& card : cards_) {
      expect(reads::reading(*model_, card.number) == reads::reading(*other_, card.number),
             "how far {} has read", card.number.value);
    }
  }

  void author_logs() {
    for (std::uint32_t limit = 1; limit < 13; limit += 2) {
      std::vector<UserNumber> authors;
      for (const AuthorCard& card : cards_) {
        if (random_() % 3 != 0) authors.push_back(card.number);
      }
      const IdRange range{some_id(), some_id()};
      const auto direction = random_() % 2 ? Direction::kUp : Direction::kDown;
      const auto levels = Levels::of(static_cast<std::uint8_t>(random_() % 8));
      const LogsOf logs{authors, levels, cards_[random_() % cards_.size()].number};
      const auto entries = model_->author_entries(logs, range, direction, limit);
      expect(entries == other_->author_entries(logs, range, direction, limit),
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
      expect(same(reads::following(*model_, user, after, limit),
                  reads::following(*other_, user, after, limit)),
             "following of {}", user.value);
      expect(same(reads::followers(*model_, user, after, limit),
                  reads::followers(*other_, user, after, limit)),
             "followers of {}", user.value);
      for (const UserNumber other : users_) {
        expect(reads::follows(*model_, user, other) == reads::follows(*other_, user, other),
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

  // All that are pending, and nothing but posts of those whom the viewer follows or their own.
  bool same_pending(UserNumber viewer, const FeedSources& a, const FeedSources& b) const {
    const auto found = shown(b.pending);
    return std::ranges::includes(found, shown(a.pending), std::greater(), &Entry::id, &Entry::id) &&
           std::ranges::all_of(found, [&](const Entry& entry) {
             return entry.author == viewer || std::ranges::binary_search(a.following, entry.author);
           });
  }

  void sources() {
    for (const UserNumber viewer : users_) {
      const FeedSources a = model_->feed_sources(viewer);
      const FeedSources b = other_->feed_sources(viewer);
      expect(a.has_timeline == b.has_timeline, "whether {} has a timeline", viewer.value);
      if (a.has_timeline) expect(a.last_read == b.last_read, "last read of {}", viewer.value);
      expect(a.following == b.following, "followees of {}", viewer.value);
      expect(sorted(a.marks) == sorted(b.marks), "marks for {}", viewer.value);
      expect(same_pending(viewer, a, b), "pending posts for {}", viewer.value);
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
      for (auto [user, counters] : reads::counters_above(snapshot, kNobody, kAll)) {
        if (other_->state().early_below != PostId{}) counters.posts = 0;  // early entries too
        const bool there = std::binary_search(users_.begin(), users_.end(), user);
        if (there && counters != UserCounters{}) result[user] = counters;
      }
      return result;
    };
    expect(stored(*model_) == stored(*other_), "stored counters");
    for (const UserNumber user : users_) {
      expect(model_->find(tables::Marks::Key{user}) == other_->find(tables::Marks::Key{user}),
             "mark of {}", user.value);
    }
    const auto marks = [&](const Snapshot& snapshot) {
      auto result = reads::rows_above<tables::Marks>(snapshot, {kNobody}, kAll);
      std::erase_if(result, [&](const feed::AuthorMark& mark) {
        return !std::binary_search(users_.begin(), users_.end(), mark.author);
      });
      return result;
    };
    expect(marks(*model_) == marks(*other_), "marks");
  }

  void notices() {
    expect(reads::rows_above<tables::Notifications>(*model_, {kNobody, Sequence{0}}, kAll) ==
               reads::rows_above<tables::Notifications>(*other_, {kNobody, Sequence{0}}, kAll),
           "notifications");
    expect(reads::tagged_posts(*model_, kAboveAllPosts, kAll) ==
               reads::tagged_posts(*other_, kAboveAllPosts, kAll),
           "hashtags");
  }

  void reactions() {
    expect(reads::reactions_above(*model_, {}, kNobody, kAll) ==
               reads::reactions_above(*other_, {}, kNobody, kAll),
           "reactions");
    const ContentId some = content_of(some_id());
    expect(reads::reactions_above(*model_, some, UserNumber{2}, 3) ==
               reads::reactions_above(*other_, some, UserNumber{2}, 3),
           "reactions from {} on", some.value);
    std::vector<ContentId> contents;
    for (const Entry& entry : ids_) contents.push_back(content_of(entry.id));
    for (const Comment& comment :
         reads::rows_above<tables::Comments>(*model_, {kNoComment}, kAll)) {
      contents.push_back(content_of(comment.id));
    }
    expect(model_->content_counters(contents) == other_->content_counters(contents),
           "counters of contents");
    expect(reads::content_counters_above(*model_, {}, kAll) ==
               reads::content_counters_above(*other_, {}, kAll),
           "stored counters of contents");
    expect(reads::unfinished_post_removals(*model_) == reads::unfinished_post_removals(*other_),
           "removed posts and comments");
    for (const UserNumber user : users_) {
      expect(reads::reactions_of(*model_, user, contents) ==
                 reads::reactions_of(*other_, user, contents),
             "reactions of {}", user.value);
      expect(reads::recent_partners(*model_, user, 4) == reads::recent_partners(*other_, user, 4),
             "recent partners of {}", user.value);
    }
    for (const ContentId content : contents) {
      const UserNumber after{static_cast<std::uint32_t>(random_() % 4)};
      const auto type = random_() % 2 ? std::optional(ReactionType::kLike) : std::nullopt;
      expect(reads::reactions(*model_, content, after, type, 2) ==
                 reads::reactions(*other_, content, after, type, 2),
             "reactions to {}", content.value);
    }
  }

  void threads() {
    const auto comments = reads::rows_above<tables::Comments>(*model_, {kNoComment}, kAll);
    expect(comments == reads::rows_above<tables::Comments>(*other_, {kNoComment}, kAll),
           "comments");
    for (const Comment& comment : comments) {
      const CommentId bound{comment.id.value + random_() % 3 - 1};
      const CommentId parent = random_() % 2 ? comment.parent : comment.id;
      for (const auto direction : {Direction::kDown, Direction::kUp}) {
        expect(reads::thread(*model_, comment.post, parent, bound, direction, 3) ==
                   reads::thread(*other_, comment.post, parent, bound, direction, 3),
               "thread of {} from {}", parent.value, bound.value);
      }
    }
  }

  void log() {
    const auto from = Sequence{1 + random_() % model_->state().log_end.value};
    expect(settled(reads::events(*model_, Sequence{1}, kAll)) ==
               settled(reads::events(*other_, Sequence{1}, kAll)),
           "events");
    expect(reads::events(*model_, from, 3).size() == reads::events(*other_, from, 3).size(),
           "events from {}", from.value);
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
  for (auto at = log.begin(), end = at; at != log.end(); at = end) {
    end = free(*at) ? std::find_if_not(at, log.end(), free) : at + 1;
    std::sort(at, end, order);
    if (free(*at)) {
      std::for_each(at, end, [&](events::Event& event) { event.sequence = log.front().sequence; });
    }
  }
  return log;
}

std::vector<std::string> differences(const Storage& model, const Storage& other,
                                     std::mt19937_64& random) {
  return Comparison(model, other, random).run();
}

}  // namespace chirp::test
