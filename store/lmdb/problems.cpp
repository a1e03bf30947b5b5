// Damage that only the store itself can see: records that fail their check, indexes that name no
// record and records without an index, counts in the state that are not the tables'.
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/entries.h"
#include "store/lmdb/idempotency_keys.h"
#include "store/lmdb/inspect_content.h"
#include "store/lmdb/lmdb_snapshot.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

constexpr std::size_t kProblemsMax = 1000;

class Inspector {
 public:
  Inspector(const Txn& txn, const StoredState& state) : txn_(txn), state_(state) {}

  std::vector<std::string> run() {
    users();
    posts();
    timelines();
    each(Table::kFollowing, [&](const Item& item) { chunk(Table::kFollowing, item); });
    each(Table::kFollowers, [&](const Item& item) { chunk(Table::kFollowers, item); });
    each(Table::kCounters, [](const Item& item) { (void)decode_counters(item.key, item.value); });
    marks();
    relations();
    each(Table::kReaders, [](const Item& item) { (void)decode_reader(item.key, item.value); });
    for (std::string& problem : content_problems(txn_, state_)) note(std::move(problem));
    keys();
    notices();
    log();
    return std::move(problems_);
  }

 private:
  void note(std::string what) {
    if (problems_.size() < kProblemsMax) problems_.push_back(std::move(what));
  }
  void expect_rows(Table table, std::uint64_t expected) {
    const std::uint64_t rows = txn_.stat(table).ms_entries;
    if (rows == expected) return;
    note(fmt::format("table {} has {} rows instead of {}",
                     kTableNames[static_cast<unsigned>(table)], rows, expected));
  }
  // Walks a table; what is thrown about a row is noted, and the walk goes on.
  std::uint64_t each(Table table, const std::function<void(const Item&)>& look) {
    std::uint64_t rows = 0;
    Cursor cursor(txn_, table);
    try {
      for (auto item = cursor.first(); item; item = cursor.next(), ++rows) {
        try {
          look(*item);
        } catch (const Error& error) {
          note(error.what());
        }
      }
    } catch (const Error& error) {
      note(error.what());  // here it ends, since what follows is out of order
    }
    return rows;
  }

  void users() {
    std::uint64_t sources = 0;
    const std::uint64_t cards = each(Table::kCards, [&](const Item& item) {
      const AuthorCard card = decode_card(item.key, item.value);
      if (find_row<tables::UserIds>(txn_, {card.id}) != card.number) {
        note(fmt::format("user {} is not in the index of ids", card.id.value));
      }
      if (!card.source) return;
      ++sources;
      const auto found = txn_.get(Table::kUserSources, key(*card.source));
      if (!found || user_at(*found) != card.number) {
        note(fmt::format("user {} is not in the index of source ids", card.id.value));
      }
    });
    expect_rows(Table::kUserIds, cards);
    expect_rows(Table::kUserSources, sources);
    expect_rows(Table::kRemovals, state_.removals);
  }

  void posts() {
    std::uint64_t sources = 0;
    std::uint64_t reposts = 0;
    std::uint64_t media = 0;
    const std::uint64_t rows = each(Table::kPosts, [&](const Item& item) {
      const Post post = decode_post(item.key, item.value);
      if (post.is_repost()) {
        ++reposts;
        if (find_row<tables::RepostsOf>(txn_, {post.original, post.author}) != post.id) {
          note(fmt::format("repost {} is not in the index of reposts", post.id.value));
        }
      }
      std::set<MediaId> uploads;  // a post may name one twice
      for (const Medium& medium : post.media) {
        if (medium.upload != MediaId{}) uploads.insert(medium.upload);
      }
      media += uploads.size();
      for (const MediaId upload : uploads) {
        if (txn_.get(Table::kMediaUses, media_use(upload, post.id))) continue;
        note(fmt::format("post {} is not among the uses of its media", post.id.value));
      }
      if (!txn_.get(Table::kAuthorLogs, key(post.author, post.id))) {
        note(fmt::format("post {} is not in its author's log", post.id.value));
      }
      if (!post.source) return;
      ++sources;
      const auto found = txn_.get(Table::kPostSources, key(*post.source));
      if (!found || u64_at(*found) != post.id.value) {
        note(fmt::format("post {} is not in the index of source ids", post.id.value));
      }
    });
    expect_rows(Table::kAuthorLogs, rows);
    expect_rows(Table::kPostSources, sources + sources_of_comments());
    expect_rows(Table::kReposts, reposts);
    expect_rows(Table::kMediaUses, media);
  }

  // Damaged ones are named elsewhere.
  std::uint64_t sources_of_comments() const {
    std::uint64_t sources = 0;
    Cursor cursor(txn_, Table::kComments);
    for (auto item = cursor.first(); item; item = cursor.next()) {
      try {
        if (decode_comment(item->key, item->value).source) ++sources;
      } catch (const Error&) {
        continue;
      }
    }
    return sources;
  }

  void timelines() {
    std::uint64_t in_parts = 0;
    each(Table::kTimelines, [&](const Item& item) {
      const UserNumber viewer = user_at(item.key);
      const auto head = read_head(txn_, viewer);
      in_parts += head->in_parts;
      const auto whole = read_timeline(txn_, viewer);
      for (std::size_t i = 1; i < whole->entries.size(); ++i) {
        if (newer(whole->entries[i - 1], whole->entries[i])) continue;
        note(fmt::format("the timeline of user number {} is out of order", viewer.value));
        break;
      }
    });
    std::uint64_t found = 0;
    each(Table::kTimelineParts, [&](const Item& item) {
      RecordReader in(Table::kTimelineParts, item.key, item.value);
      const auto entries = EntryReader(in).all();
      found += entries.size();
      if (entries.empty() || entries.front().id.value != u64_at(item.key, 4)) {
        note(fmt::format("a part of the timeline of user number {} is not what its key says",
                         user_at(item.key).value));
      }
    });
    if (found != in_parts) {
      note(fmt::format("the parts of timelines hold {} entries instead of {}", found, in_parts));
    }
  }

  void chunk(Table table, const Item& item) {
    const auto edges = decode_chunk(table, item);
    for (std::size_t i = 1; i < edges.size(); ++i) {
      if (edges[i - 1].other < edges[i].other) continue;
      note(fmt::format("edges of user number {} are out of order", user_at(item.key).value));
      return;
    }
  }

  void marks() {
    std::uint64_t pulled = 0;
    each(Table::kMarks, [&](const Item& item) {
      const feed::AuthorMark mark = decode_mark(item.key, item.value);
      if (mark.push_from == feed::kAlwaysPushed) return;
      ++pulled;
      const auto found = txn_.get(Table::kPulled, item.key);
      if (!found || u64_at(*found) != mark.push_from.value) {
        note(fmt::format("the push-from mark of user number {} is not in its index",
                         mark.author.value));
      }
    });
    expect_rows(Table::kPulled, pulled);
    if (state_.pulled != pulled) note("the state miscounts the push-from marks");
  }

  void relations() {
    const std::uint64_t rows = each(Table::kRelations, [&](const Item& item) {
      const UserNumber user = user_at(item.key);
      const UserNumber other = user_at(item.key, 8);
      (void)decode_since(item.key, item.value);
      if (!txn_.get(Table::kRelated, key(other, user_at(item.key, 4).value, user))) {
        note(fmt::format("what user number {} set about {} is not in its index", user.value,
                         other.value));
      }
    });
    expect_rows(Table::kRelated, rows);
    if (state_.relations != rows) note("the state miscounts blocks and mutes");
  }

  void keys() {
    const std::uint64_t rows = each(Table::kKeys, [&](const Item& item) {
      if (!txn_.get(Table::kKeyTimes, time_key_of(item))) {
        note(fmt::format("an idempotency key of user number {} is not in the index of times",
                         user_at(item.key).value));
      }
    });
    expect_rows(Table::kKeyTimes, rows);
  }

  void notices() {
    std::map<UserNumber, std::uint64_t> counts;
    each(Table::kNotifications,
         [&](const Item& item) { ++counts[decode_notification(item.key, item.value).user]; });
    each(Table::kReaders, [&](const Item& item) {
      const auto found = counts.extract(user_at(item.key));
      const std::uint64_t rows = found.empty() ? 0 : found.mapped();
      if (decode_reader(item.key, item.value).notifications == rows) return;
      note(fmt::format("the notifications of user number {} are miscounted",
                       user_at(item.key).value));
    });
    for (const auto& [user, rows] : counts) {
      note(fmt::format("the notifications of user number {} are not counted", user.value));
    }
    each(Table::kTagUses, [](const Item& item) { check_tag_use(item); });
  }

  void log() {
    Sequence expected = state_.log_first;
    each(Table::kEvents, [&](const Item& item) {
      const events::Event event = decode_event(item.key, item.value);
      if (event.sequence != expected) {
        note(fmt::format("event {} stands where {} belongs", event.sequence.value, expected.value));
      }
      expected = {event.sequence.value + 1};
    });
    if (expected != state_.log_end) note("the log does not end where the state says");
    expect_rows(Table::kFanOutQueue, state_.fan_out_queue);
    each(Table::kFanOutQueue,
         [](const Item& item) { (void)decode_fan_out_row(item.key, item.value); });
  }

  const Txn& txn_;
  const StoredState& state_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> LmdbSnapshot::problems() const { return Inspector(txn_, state_).run(); }

}  // namespace chirp::lmdb
