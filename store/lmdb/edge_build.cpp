#include "store/lmdb/edge_build.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>

#include "core/error.h"
#include "core/radix_sort.h"
#include "store/layout.h"
#include "store/lmdb/records.h"

namespace chirp::lmdb {
namespace {

// Cards read in one snapshot.
constexpr std::size_t kCardsAtOnce = 200'000;

// Visits the users of rows from `from` on, with a new snapshot every kCardsAtOnce rows.
void each_row(const std::shared_ptr<Env>& env, Table table, const BulkEdges::Turn& turn,
              const std::function<void(const Item&)>& take) {
  std::optional<std::string> last;
  for (bool more = true; more;) {
    turn([&] {
      const Env::Reader reader(env);
      Cursor cursor(reader.txn(), table);
      auto item = last ? cursor.at_or_after(*last) : cursor.first();
      if (item && last && item->key == *last) item = cursor.next();
      for (std::size_t i = 0; item && i < kCardsAtOnce; ++i, item = cursor.next()) {
        take(*item);
        last = item->key;
      }
      more = item.has_value();
    });
  }
}

void set_bit(std::vector<bool>& bits, UserNumber user) {
  if (user.value >= bits.size()) bits.resize(std::size_t{user.value} * 2 + 64);
  bits[user.value] = true;
}
bool has_bit(const std::vector<bool>& bits, UserNumber user) {
  return user.value < bits.size() && bits[user.value];
}

// Both are sorted, and no edge is in both.
std::vector<Edge> merged_row(const std::vector<Edge>& row, const std::vector<Edge>& fresh) {
  std::vector<Edge> all;
  all.reserve(row.size() + fresh.size());
  std::ranges::merge(row, fresh, std::back_inserter(all), {}, &Edge::other, &Edge::other);
  return all;
}

EdgeRuns runs_of(const std::filesystem::path& place, std::size_t memory,
                 std::optional<Time> since) {
  return EdgeRuns(store::Layout(place).loading(), memory, since);
}

}  // namespace

bool is_severed(const Txn& txn, UserNumber one, UserNumber other) {
  return txn.get(Table::kRelations, key(one, Relation::kBlock, other)).has_value() ||
         txn.get(Table::kRelations, key(other, Relation::kBlock, one)).has_value();
}

void RowPiece::append_to(WriteTxn& txn, Table table) const {
  const Bytes all = bytes_;
  std::size_t at = 0;
  for (const auto& [key, value] : sizes_) {
    txn.append(table, all.substr(at, key), all.substr(at + key, value));
    at += key + value;
  }
}

EdgeBuild::EdgeBuild(LmdbStorage& storage, const BulkOptions& options)
    : storage_(storage),
      options_(options),
      aside_(runs_of(storage.env_->place(), options.memory / 4, Time{})),
      gathered_(runs_of(storage.env_->place(), options.memory / 2, options.since)),
      turned_(runs_of(storage.env_->place(), options.memory / 4, options.since)),
      by_follower_(runs_of(storage.env_->place(), options.memory / 8, options.since)),
      by_followee_(runs_of(storage.env_->place(), options.memory / 8, options.since)) {}

BulkProgress EdgeBuild::reach() const { return {phase_, share_}; }

void EdgeBuild::reached(BulkPhase phase, std::uint64_t done, std::uint64_t all) {
  phase_ = phase;
  share_ = all == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
}

void EdgeBuild::build(const Turn& turn) {
  read_users(turn);
  read_blocking(turn);
  build_following(turn);
  build_followers(turn);
  build_counters(turn);
  catch_up(turn);
}

void EdgeBuild::read_users(const Turn& turn) {
  each_row(storage_.env_, Table::kCards, turn, [&](const Item& card) {
    if (presence_of(card) != Presence::kRemoved) set_bit(kept_, user_at(card.key));
  });
}

void EdgeBuild::read_blocking(const Turn& turn) {
  each_row(storage_.env_, Table::kRelations, turn, [&](const Item& row) {
    const auto kind = load_big_endian<std::uint32_t>(lmdb::reach(row.key, 4, 4));
    if (kind == number_of(Relation::kBlock)) set_bit(blocking_, user_at(row.key));
  });
}

bool EdgeBuild::may_follow(const Txn& txn, UserNumber follower, UserNumber followee) {
  if (!has_bit(kept_, follower) || !has_bit(kept_, followee)) {
    ++counts_.missing;
    return false;
  }
  const bool any = has_bit(blocking_, follower) || has_bit(blocking_, followee);
  if (any && is_severed(txn, follower, followee)) {
    ++counts_.severed;
    return false;
  }
  return true;
}

void EdgeBuild::stage(std::uint64_t edge, Time since) {
  by_follower_.add(edge, since);
  const std::uint64_t turned = edge_number(lower_of(edge), upper_of(edge));
  if (options_.since) {
    turning_.push_back(turned);
  } else {
    timed_turning_.push_back({turned, since});
  }
  if (turning_.size() + timed_turning_.size() >= options_.sorted_at_once) sort_turned();
}

void EdgeBuild::sort_turned() {
  radix_sort(turning_, scratch_);
  radix_sort(timed_turning_, timed_scratch_, [](const TimedEdge& edge) { return edge.key; });
  turned_.add_run(turning_);
  turned_.add_run(timed_turning_);
  turning_.clear();
  timed_turning_.clear();
}

void EdgeBuild::write_piece(const Turn& turn, Table spare) {
  turn([&] {
    storage_.run(now_, Purpose::kLoad, [&](Batch& batch) {
      piece_.append_to(batch.txn, spare);
      return LmdbStorage::Verdict::kCommit;
    });
  });
  piece_.clear();
}

// Copies rows without new edges unchanged.
void EdgeBuild::build_side(const Turn& turn, const TablePair& pair, EdgeMerge& edges,
                           const TakeRow& take, const std::function<void()>& tell) {
  RecordWriter record;
  const auto put = [&](Bytes key, Bytes value) { piece_.add(key, value); };
  std::vector<Edge> row;
  std::vector<Edge> fresh;
  UserNumber next = kNobody;
  for (bool more = true; more;) {
    {
      const Env::Reader reader(storage_.env_);
      Cursor cursor(reader.txn(), pair.in_use);
      auto item = cursor.at_or_after(key(next, kNobody));
      while (piece_.bytes() < options_.piece && (item || !edges.done())) {
        UserNumber user = edges.done() ? user_at(item->key) : upper_of(edges.edge());
        if (item) user = std::min(user, user_at(item->key));
        next = {user.value + 1};
        const bool is_copied = edges.done() || upper_of(edges.edge()) != user;
        row.clear();
        for (; item && user_at(item->key) == user; item = cursor.next()) {
          if (is_copied) {
            piece_.add(item->key, item->value);
          } else {
            std::ranges::copy(decode_chunk(pair.in_use, *item), std::back_inserter(row));
          }
        }
        if (is_copied) continue;
        fresh.clear();
        take(reader.txn(), user, row, fresh);
        encode_chunks(record, pair.in_use, user, merged_row(row, fresh), put);
      }
      more = item || !edges.done();
    }
    write_piece(turn, pair.spare);
    tell();
  }
}

void EdgeBuild::build_following(const Turn& turn) {
  EdgeMerge edges(gathered_);
  std::uint64_t done = 0;
  by_follower_.begin_run();
  const auto take = [&](const Txn& txn, UserNumber user, const std::vector<Edge>& row,
                        std::vector<Edge>& fresh) {
    auto old = row.begin();
    for (; !edges.done() && upper_of(edges.edge()) == user; edges.next(), ++done) {
      const UserNumber other = lower_of(edges.edge());
      if (!may_follow(txn, user, other)) continue;
      while (old != row.end() && old->other < other) ++old;
      if (old != row.end() && old->other == other) {
        ++counts_.duplicates;
        continue;
      }
      fresh.push_back({other, edges.since()});
      stage(edges.edge(), edges.since());
    }
  };
  build_side(turn, kPairs[0], edges, take,
             [&] { reached(BulkPhase::kFollowing, done, gathered_.edges()); });
  by_follower_.end_run();
  sort_turned();
  counts_.duplicates += edges.repeated();
  gathered_.clear();
}

void EdgeBuild::build_followers(const Turn& turn) {
  EdgeMerge edges(turned_);
  by_followee_.begin_run();
  const auto take = [&](const Txn& /*txn*/, UserNumber user, const std::vector<Edge>& row,
                        std::vector<Edge>& fresh) {
    auto old = row.begin();
    for (; !edges.done() && upper_of(edges.edge()) == user; edges.next()) {
      const UserNumber other = lower_of(edges.edge());
      by_followee_.add(edges.edge(), edges.since());
      while (old != row.end() && old->other < other) ++old;
      // An edge already present was made after the first pass; then the row is noted.
      if (old == row.end() || old->other != other) fresh.push_back({other, edges.since()});
    }
  };
  build_side(turn, kPairs[1], edges, take,
             [&] { reached(BulkPhase::kFollowers, by_followee_.edges(), by_follower_.edges()); });
  by_followee_.end_run();
  turned_.clear();
}

// ---------------------------------------------------------------- counters

namespace {

// The number of staged edges of each user, user by user.
class StagedEdges {
 public:
  explicit StagedEdges(const EdgeRuns& runs) {
    if (runs.runs() > 0) edges_.emplace(runs, 0);
  }
  [[nodiscard]] std::optional<UserNumber> user() const {
    if (!edges_ || edges_->done()) return std::nullopt;
    return upper_of(edges_->edge());
  }
  // Returns that of `user` and moves on to the next one.
  std::int64_t count_of(UserNumber user) {
    std::int64_t count = 0;
    for (; this->user() == user; edges_->next()) ++count;
    return count;
  }

 private:
  std::optional<EdgeRuns::Cursor> edges_;
};

}  // namespace

void EdgeBuild::build_counters(const Turn& turn) {
  // One state's settings, so that the last transaction knows whether all tiers used its own.
  settings_ = read_state(Env::Reader(storage_.env_).txn()).settings;
  StagedEdges following(by_follower_);
  StagedEdges followers(by_followee_);
  RecordWriter record;
  UserNumber next = kNobody;
  const std::uint64_t users = kept_.size();
  for (bool more = true; more;) {
    {
      const Env::Reader reader(storage_.env_);
      Cursor cursor(reader.txn(), Table::kCounters);
      Cursor marks(reader.txn(), Table::kMarks);
      auto item = cursor.at_or_after(key(next));
      auto mark = marks.at_or_after(key(next));
      while (piece_.bytes() < options_.piece && (item || following.user() || followers.user())) {
        UserNumber user{~std::uint32_t{0}};
        if (item) user = std::min(user, user_at(item->key));
        if (following.user()) user = std::min(user, *following.user());
        if (followers.user()) user = std::min(user, *followers.user());
        next = {user.value + 1};
        const std::int64_t more_following = following.count_of(user);
        const std::int64_t more_followers = followers.count_of(user);
        const bool is_there = item && user_at(item->key) == user;
        if (more_following == 0 && more_followers == 0) {
          piece_.add(item->key, item->value);
        } else {
          UserCounters counters =
              is_there ? decode_counters(item->key, item->value) : UserCounters{};
          counters.following += more_following;
          counters.followers += more_followers;
          const auto k = key(user);
          record.start();
          const std::uint8_t flags = encode_counters(record, counters);
          piece_.add(k, record.seal(Table::kCounters, k, flags));
          if (more_followers != 0) note_tier(marks, mark, user, counters.followers, settings_);
        }
        if (is_there) item = cursor.next();
      }
      more = item || following.user() || followers.user();
    }
    write_piece(turn, Table::kSpareCounters);
    reached(BulkPhase::kCounts, next.value, users);
  }
}

void EdgeBuild::note_tier(Cursor& marks, std::optional<Item>& mark, UserNumber user,
                          std::int64_t followers, const feed::FeedSettings& settings) {
  while (mark && user_at(mark->key) < user) mark = marks.next();
  const bool is_marked = mark && user_at(mark->key) == user;
  const feed::Tier tier =
      is_marked ? decode_mark(mark->key, mark->value).tier : feed::Tier::kRegular;
  if (feed::next_tier(tier, followers, settings) != tier) tiers_.push_back(user);
}

}  // namespace chirp::lmdb
