// Users, their follows, relations and counters.
#include <algorithm>

#include "core/model/policy.h"
#include "core/model/upload.h"
#include "store/query/readers.h"
#include "store/query/table.h"

namespace chirp::query {
namespace {

// ---- users

void write_user(const User& user, std::size_t column, Cell& cell) {
  switch (column) {
    case 0:
      return cell.id(user.id);
    case 1:
      return cell.text(user.username);
    case 2:
      return cell.text(user.display_name);
    case 3:
      return cell.text(user.bio);
    case 4:
      if (user.email) cell.text(*user.email);
      return;
    case 5:
      return cell.time(user.created_at);
    case 6:
      if (user.picture != MediaId{}) cell.text(address_of(user.picture));
      return;
    case 7:
      if (user.source) cell.text(text_of(*user.source));
      return;
    default:
      return;
  }
}

// A user exists if both the row and the card do.
void add_present(const Sources& from, std::vector<User>& rows, std::vector<User> found) {
  std::vector<UserNumber> numbers;
  for (const User& user : found) numbers.push_back(user.number);
  const auto cards = reads::cards(from.snapshot(), numbers);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (cards[i] && cards[i]->presence == Presence::kPresent) rows.push_back(std::move(found[i]));
  }
}

std::unique_ptr<Scan> all_users(Sources& from, SoughtValues /*values*/, const IdWalk& /*walk*/) {
  return scan<User>(
      [&from, after = kNobody](std::vector<User>& rows, std::uint32_t most) mutable {
        auto found = from.users().scan(after, most);
        if (found.empty()) return false;
        after = found.back().number;
        add_present(from, rows, std::move(found));
        return true;
      },
      write_user);
}

std::unique_ptr<Scan> users_by(Sources& from, const SoughtUser& who) {
  std::vector<User> found;
  if (auto user = from.users().look_up(who)) found.push_back(std::move(*user));
  return once<User>([&from, found](std::vector<User>& rows) { add_present(from, rows, found); },
                    write_user);
}

std::unique_ptr<Scan> user_by_id(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  return users_by(from, UserId{id_of(values[0])});
}

std::unique_ptr<Scan> user_by_name(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  return users_by(from, NamedUser{std::get<std::string>(values[0])});
}

// ---- follows

struct FollowRow {
  UserNumber follower;
  UserNumber followee;
  Time since;
};

auto follow_writer(Sources& from) {
  return [&from](const FollowRow& follow, std::size_t column, Cell& cell) {
    if (column == 0) return cell.id(from.id_of(follow.follower));
    if (column == 1) return cell.id(from.id_of(follow.followee));
    cell.time(follow.since);
  };
}

void add_follow(const Sources& from, std::vector<FollowRow>& rows, UserNumber follower,
                UserNumber followee, Time since) {
  if (from.is_there(follower) && from.is_there(followee)) {
    rows.push_back({follower, followee, since});
  }
}

// Reads the follows of one user after the other, because each range of edges belongs to one user.
class FollowWalk {
 public:
  explicit FollowWalk(const Snapshot& snapshot) {
    const auto last = snapshot.range(tables::Cards::Key{kNobody}, tables::Cards::Key{kLastUser},
                                     Direction::kDown, 1);
    if (!last.empty()) last_ = last.front().first.user;
  }

  bool read(const Sources& from, std::vector<FollowRow>& rows, std::uint32_t most) {
    take_users();
    if (wanted_.empty()) return false;
    const TableReader<tables::Following> table = from.snapshot();
    const auto found = table.ranges(wanted_, Direction::kUp, most, most);
    std::vector<KeyRange<tables::Following>> left;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const auto& [key, since] : found[i]) {
        add_follow(from, rows, key.follower, key.followee, since);
      }
      if (found[i].size() < most || found[i].back().first.followee == kLastUser) continue;
      left.push_back(wanted_[i]);
      left.back().first.followee = UserNumber{found[i].back().first.followee.value + 1};
    }
    left.insert(left.end(), wanted_.begin() + static_cast<std::ptrdiff_t>(found.size()),
                wanted_.end());
    wanted_ = std::move(left);
    return true;
  }

 private:
  static constexpr std::size_t kAtOnce = 256;

  void take_users() {
    if (!wanted_.empty()) return;
    while (next_ <= last_ && wanted_.size() < kAtOnce) {
      wanted_.push_back({{next_, kNobody}, {next_, kLastUser}});
      next_ = UserNumber{next_.value + 1};
    }
  }

  UserNumber next_{1};
  UserNumber last_ = kNobody;
  std::vector<KeyRange<tables::Following>> wanted_;
};

std::unique_ptr<Scan> all_follows(Sources& from, SoughtValues /*values*/, const IdWalk& /*walk*/) {
  return scan<FollowRow>([&from, walk = FollowWalk(from.snapshot())](
                             std::vector<FollowRow>& rows,
                             std::uint32_t most) mutable { return walk.read(from, rows, most); },
                         follow_writer(from));
}

std::unique_ptr<Scan> follows_by_follower(Sources& from, SoughtValues values,
                                          const IdWalk& /*walk*/) {
  const auto user = from.user(integer_of(values[0]));
  if (!user) return nothing();
  return walked<FollowRow>(
      from, KeyWalk<tables::Following>({*user, kNobody}, {*user, kLastUser}),
      [&from](std::vector<FollowRow>& rows, const tables::Following::Key& key, Time since) {
        add_follow(from, rows, key.follower, key.followee, since);
      },
      follow_writer(from));
}

std::unique_ptr<Scan> follows_by_followee(Sources& from, SoughtValues values,
                                          const IdWalk& /*walk*/) {
  const auto user = from.user(integer_of(values[0]));
  if (!user) return nothing();
  return walked<FollowRow>(
      from, KeyWalk<tables::Followers>({*user, kNobody}, {*user, kLastUser}),
      [&from](std::vector<FollowRow>& rows, const tables::Followers::Key& key, Time since) {
        add_follow(from, rows, key.follower, key.followee, since);
      },
      follow_writer(from));
}

std::unique_ptr<Scan> one_follow(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const auto follower = from.user(integer_of(values[0]));
  const auto followee = from.user(integer_of(values[1]));
  if (!follower || !followee) return nothing();
  return once<FollowRow>(
      [&from, follower, followee](std::vector<FollowRow>& rows) {
        const auto since = reads::follows(from.snapshot(), *follower, *followee);
        if (since) add_follow(from, rows, *follower, *followee, *since);
      },
      follow_writer(from));
}

// ---- relations

struct Set {
  tables::Relations::Key key;
  Time since;
};

constexpr Relation kFirstRelation{0};
constexpr Relation kLastRelation{255};

std::string_view name_of(Relation relation) {
  switch (relation) {
    case Relation::kBlock:
      return "block";
    case Relation::kMute:
      return "mute";
    case Relation::kRepostsOff:
      return "reposts_off";
  }
  return {};
}

auto relation_writer(Sources& from) {
  return [&from](const Set& set, std::size_t column, Cell& cell) {
    if (column == 0) return cell.id(from.id_of(set.key.user));
    if (column == 1) return cell.text(name_of(set.key.relation));
    if (column == 2) return cell.id(from.id_of(set.key.other));
    cell.time(set.since);
  };
}

auto relation_taker(const Sources& from) {
  return [&from](std::vector<Set>& rows, const tables::Relations::Key& key, Time since) {
    if (from.is_there(key.user) && from.is_there(key.other)) rows.push_back({key, since});
  };
}

std::unique_ptr<Scan> relations_between(Sources& from, UserNumber first, UserNumber last) {
  return walked<Set>(from,
                     KeyWalk<tables::Relations>({first, kFirstRelation, kNobody},
                                                {last, kLastRelation, kLastUser}),
                     relation_taker(from), relation_writer(from));
}

std::unique_ptr<Scan> all_relations(Sources& from, SoughtValues /*values*/,
                                    const IdWalk& /*walk*/) {
  return relations_between(from, kNobody, kLastUser);
}

std::unique_ptr<Scan> relations_by_user(Sources& from, SoughtValues values,
                                        const IdWalk& /*walk*/) {
  const auto user = from.user(integer_of(values[0]));
  return user ? relations_between(from, *user, *user) : nothing();
}

std::unique_ptr<Scan> relations_by_other(Sources& from, SoughtValues values,
                                         const IdWalk& /*walk*/) {
  const auto user = from.user(integer_of(values[0]));
  if (!user) return nothing();
  const KeyWalk<tables::Related> walk({*user, kFirstRelation, kNobody},
                                      {*user, kLastRelation, kLastUser});
  return looked_up<Set, tables::Relations>(
      from, walk,
      [](const tables::Related::Key& key) {
        return tables::Relations::Key{key.user, key.relation, key.other};
      },
      relation_taker(from), relation_writer(from));
}

// ---- counters

struct CountedPerson {
  UserNumber user;
  UserCounters counters;
  feed::Tier tier;
};

auto counter_writer(Sources& from) {
  return [&from](const CountedPerson& counted, std::size_t column, Cell& cell) {
    switch (column) {
      case 0:
        return cell.id(from.id_of(counted.user));
      case 1:
        return cell.integer(counted.counters.followers);
      case 2:
        return cell.integer(counted.counters.following);
      case 3:
        return cell.integer(counted.counters.posts);
      default:
        return cell.text(feed::name(counted.tier));
    }
  };
}

void add_counters(const Sources& from, std::vector<CountedPerson>& rows,
                  std::span<const UserNumber> users) {
  const auto counters = from.snapshot().counters(users);
  std::vector<tables::Marks::Key> keys;
  for (const UserNumber user : users) keys.push_back({user});
  const TableReader<tables::Marks> marks = from.snapshot();
  const auto found = marks.find_all(keys);
  for (std::size_t i = 0; i < users.size(); ++i) {
    rows.push_back({users[i], counters[i], found[i] ? found[i]->tier : feed::Tier::kRegular});
  }
}

std::unique_ptr<Scan> all_counters(Sources& from, SoughtValues /*values*/, const IdWalk& /*walk*/) {
  return scan<CountedPerson>(
      [&from, walk = KeyWalk<tables::Cards>({kNobody}, {kLastUser})](
          std::vector<CountedPerson>& rows, std::uint32_t most) mutable {
        const auto cards = walk.next(from.snapshot(), most);
        std::vector<UserNumber> users;
        for (const auto& [key, card] : cards) {
          if (card.presence == Presence::kPresent) users.push_back(key.user);
        }
        add_counters(from, rows, users);
        return !cards.empty();
      },
      counter_writer(from));
}

std::unique_ptr<Scan> counters_by_user(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const auto user = from.user(integer_of(values[0]));
  if (!user) return nothing();
  return once<CountedPerson>(
      [&from, user](std::vector<CountedPerson>& rows) {
        add_counters(from, rows, {&*user, 1});
      },
      counter_writer(from));
}

}  // namespace

std::vector<QueryTable> tables_of_people() {
  constexpr ColumnType kInteger = ColumnType::kInteger;
  constexpr ColumnType kText = ColumnType::kText;
  return {
      {"users",
       "who is there",
       {{"id", kInteger, "as in `user show`; what other tables call a user by"},
        {"username", ColumnType::kName, "compared whatever its case"},
        {"display_name", kText, "the username unless given"},
        {"bio", kText, ""},
        {"email", kText, "NULL without one"},
        {"created_at", kText, "of signing up"},
        {"picture", kText, "the address of the profile's picture, or NULL"},
        {"source_id", kText, "in the source that a load brought, a number or a word, or NULL"}},
       "id",
       "cards",
       {},
       {{"all", {}, 0, false, all_users},
        {"id", {0}, 1, false, user_by_id},
        {"username", {1}, 1, false, user_by_name}}},
      {"follows",
       "who follows whom",
       {{"follower", kInteger, "a user's id"},
        {"followee", kInteger, "a user's id"},
        {"since", kText, ""}},
       "follower, followee",
       "follows",
       {},
       {{"all", {}, 0, false, all_follows},
        {"follower", {0}, 50, false, follows_by_follower},
        {"followee", {1}, 50, false, follows_by_followee},
        {"follower and followee", {0, 1}, 1, false, one_follow}}},
      {"relations",
       "what users have set about others, besides following",
       {{"user", kInteger, "a user's id"},
        {"kind", kText, "block, mute or reposts_off"},
        {"other", kInteger, "a user's id"},
        {"since", kText, ""}},
       "user, kind, other",
       "relations",
       {},
       {{"all", {}, 0, false, all_relations},
        {"user", {0}, 10, false, relations_by_user},
        {"other", {2}, 10, false, relations_by_other}}},
      {"counters",
       "what is counted of each user, up to now",
       {{"user", kInteger, "a user's id"},
        {"followers", kInteger, ""},
        {"following", kInteger, ""},
        {"posts", kInteger, "and reposts"},
        {"tier", kText, "regular, influencer or celebrity"}},
       "user",
       "cards",
       {},
       {{"all", {}, 0, false, all_counters}, {"user", {0}, 1, false, counters_by_user}}},
  };
}

}  // namespace chirp::query
