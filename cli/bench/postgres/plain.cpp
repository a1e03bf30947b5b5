#include "cli/bench/postgres/plain.h"

#include <limits>
#include <string_view>

#include "core/ports/reads.h"
#include "core/ports/tables.h"

namespace chirp::cli::bench {
namespace {

using postgres::Array;
using postgres::Params;
using postgres::Type;

constexpr std::uint32_t kRowsAtOnce = 5'000;

constexpr const char* kTables = R"sql(
create schema plain;
set search_path = plain;
create table users (number int4 primary key, username text not null, display_name text not null);
create table follows (follower int4, followee int4, primary key (follower, followee));
create index follows_followee on follows (followee, follower);
create table posts (id int8 primary key, author int4 not null, created_at int8 not null,
  body text not null);
create table author_logs (author int4, id int8, primary key (author, id));
create table reactions (post int8, usr int4, type int2 not null, since int8 not null,
  primary key (post, usr));
create table reactions_by (usr int4, post int8, author int4 not null, primary key (usr, post));
create table counts (post int8 primary key, reactions int8 not null, comments int8 not null,
  reposts int8 not null);
create table events (seq int8 generated always as identity primary key, topic int2 not null,
  actor int4 not null, post int8 not null, at int8 not null);
create table feeds (reader int4, post int8, primary key (reader, post));
)sql";

// Leaves the planner's defaults, except for features that short statements can't use.
constexpr const char* kSession =
    "set search_path = plain; set jit = off; set plan_cache_mode = force_generic_plan";

constexpr std::string_view kPutUsers =
    "insert into users select * from unnest($1::int4[], $2::text[], $3::text[])";
constexpr std::string_view kPutFollows =
    "insert into follows select * from unnest($1::int4[], $2::int4[])";
constexpr std::string_view kFollow =
    "insert into follows select * from unnest($1::int4[], $2::int4[]) on conflict do nothing";
constexpr std::string_view kPutPosts =
    "insert into posts select * from unnest($1::int8[], $2::int4[], $3::int8[], $4::text[])";
constexpr std::string_view kPutLogs =
    "insert into author_logs select * from unnest($1::int4[], $2::int8[])";
constexpr std::string_view kPutReactions =
    "insert into reactions select * from unnest($1::int8[], $2::int4[], $3::int2[], $4::int8[])";
constexpr std::string_view kPutReactionsBy =
    "insert into reactions_by select * from unnest($1::int4[], $2::int8[], $3::int4[])";
constexpr std::string_view kPutCounts =
    "insert into counts select * from unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[])";
constexpr std::string_view kPutEvents =
    "insert into events (topic, actor, post, at) select * from"
    " unnest($1::int2[], $2::int4[], $3::int8[], $4::int8[])";
constexpr std::string_view kDeliver =
    "insert into feeds select * from unnest($1::int4[], $2::int8[])";

constexpr std::string_view kPage =
    "select e.id, e.author, p.body, u.username, u.display_name, c.reactions, c.comments, c.reposts,"
    " r.type from (select l.id, l.author from"
    " (select followee from follows where follower = $1::int4 union all select $1::int4) f"
    " cross join lateral (select id, author from author_logs where author = f.followee"
    " order by id desc limit $2::int4) l order by l.id desc limit $2::int4) e"
    " join posts p on p.id = e.id join users u on u.number = e.author"
    " left join counts c on c.post = e.id"
    " left join reactions r on r.post = e.id and r.usr = $1::int4 order by e.id desc";

std::int32_t int4_of(UserNumber user) { return static_cast<std::int32_t>(user.value); }
template <class Id>
std::int64_t int8_of(Id id) {
  return static_cast<std::int64_t>(id.value);
}

void copy_people(postgres::Connection& to, const Snapshot& snapshot) {
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kRowsAtOnce);
    if (cards.empty()) return;
    after = cards.back().number;
    Array numbers(Type::kInt4);
    Array names(Type::kText);
    Array display_names(Type::kText);
    for (const AuthorCard& card : cards) {
      numbers.number(int4_of(card.number));
      names.raw(card.username);
      display_names.raw(card.display_name);
    }
    to.run(kPutUsers, Params().add(numbers).add(names).add(display_names));
  }
}

// The edges of a range belong to one user.
void copy_follows(postgres::Connection& to, const Snapshot& snapshot) {
  using tables::Following;
  constexpr std::uint32_t kUsersAtOnce = 256;
  constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(snapshot, {after}, kUsersAtOnce);
    if (cards.empty()) return;
    after = cards.back().number;
    std::vector<KeyRange<Following>> wanted;
    for (const AuthorCard& card : cards) {
      wanted.push_back({{card.number, UserNumber{0}}, {card.number, reads::Greatest{}}});
    }
    Array followers(Type::kInt4);
    Array followees(Type::kInt4);
    const TableReader<Following> table = snapshot;
    for (const auto& rows : table.ranges(wanted, Direction::kUp, kAll, ~std::uint64_t{0})) {
      for (const auto& [edge, since] : rows) {
        const auto& [follower, followee] = edge;
        followers.number(int4_of(follower));
        followees.number(int4_of(followee));
      }
    }
    to.run(kPutFollows, Params().add(followers).add(followees));
  }
}

void copy_posts(postgres::Connection& to, const Snapshot& snapshot) {
  for (PostId after{};;) {
    const auto posts = reads::rows_above<tables::Posts>(snapshot, {after}, kRowsAtOnce);
    if (posts.empty()) return;
    after = posts.back().id;
    Array ids(Type::kInt8);
    Array authors(Type::kInt4);
    Array times(Type::kInt8);
    Array texts(Type::kText);
    for (const Post& post : posts) {
      ids.number(int8_of(post.id));
      authors.number(int4_of(post.author));
      times.number(post.created_at.ms);
      texts.raw(post.text);
    }
    to.send(kPutPosts, Params().add(ids).add(authors).add(times).add(texts));
    to.send(kPutLogs, Params().add(authors).add(ids));
    to.receive();
  }
}

void copy_reactions(postgres::Connection& to, const Snapshot& snapshot) {
  ContentId content{};
  for (UserNumber user = kNobody;;) {
    const auto rows = reads::reactions_above(snapshot, content, user, kRowsAtOnce);
    if (rows.empty()) return;
    content = rows.back().content;
    user = rows.back().reaction.user;
    Array posts(Type::kInt8);
    Array users(Type::kInt4);
    Array types(Type::kInt2);
    Array times(Type::kInt8);
    for (const ReactionRow& row : rows) {
      posts.number(int8_of(row.content));
      users.number(int4_of(row.reaction.user));
      types.number(static_cast<std::int16_t>(row.reaction.type));
      times.number(row.reaction.since.ms);
    }
    to.send(kPutReactions, Params().add(posts).add(users).add(types).add(times));
    to.send(kPutReactionsBy, Params().add(users).add(posts).add(users));
    to.receive();
  }
}

void copy_counts(postgres::Connection& to, const Snapshot& snapshot) {
  for (ContentId after{};;) {
    const auto counts = reads::content_counters_above(snapshot, after, kRowsAtOnce);
    if (counts.empty()) return;
    after = counts.back().content;
    Array posts(Type::kInt8);
    Array reactions(Type::kInt8);
    Array comments(Type::kInt8);
    Array reposts(Type::kInt8);
    for (const ContentDelta& count : counts) {
      posts.number(int8_of(count.content));
      reactions.number(count.change.reactions_in_all());
      comments.number(count.change.comments);
      reposts.number(count.change.reposts);
    }
    to.run(kPutCounts, Params().add(posts).add(reactions).add(comments).add(reposts));
  }
}

// The topics in the events of a transaction.
constexpr std::int16_t kPosted = 1;
constexpr std::int16_t kReacted = 2;

struct EventArrays {
  Array topics{Type::kInt2};
  Array actors{Type::kInt4};
  Array posts{Type::kInt8};
  Array times{Type::kInt8};

  void add(std::int16_t topic, UserNumber actor, PostId post) {
    topics.number(topic);
    actors.number(int4_of(actor));
    posts.number(int8_of(post));
    times.number(int8_of(post));
  }
};

}  // namespace

PlainTables::PlainTables(const std::string& url) : connection_({url, kSession}) {}

void PlainTables::make(const std::string& url, const Snapshot& snapshot) {
  postgres::Connection({url}).script(kTables);
  postgres::Connection to({.url = url, .settings = kSession, .may_lose = true});
  copy_people(to, snapshot);
  copy_follows(to, snapshot);
  copy_posts(to, snapshot);
  copy_reactions(to, snapshot);
  copy_counts(to, snapshot);
}

postgres::Result PlainTables::ask_page(UserNumber reader, std::uint32_t limit) {
  return connection_.run(kPage,
                         Params().int4(int4_of(reader)).int4(static_cast<std::int32_t>(limit)));
}

std::vector<PlainItem> PlainTables::page(UserNumber reader, std::uint32_t limit) {
  const postgres::Result rows = ask_page(reader, limit);
  std::vector<PlainItem> items;
  for (int row = 0; row < rows.rows(); ++row) {
    PlainItem item;
    item.id = PostId{static_cast<std::uint64_t>(rows.number(row, 0))};
    item.author = UserNumber{static_cast<std::uint32_t>(rows.number(row, 1))};
    item.text = rows.text(row, 2);
    item.username = rows.text(row, 3);
    item.display_name = rows.text(row, 4);
    item.reactions = rows.number(row, 5);
    item.comments = rows.number(row, 6);
    item.reposts = rows.number(row, 7);
    if (!rows.is_null(row, 8)) item.reaction = static_cast<ReactionType>(rows.number(row, 8));
    items.push_back(std::move(item));
  }
  return items;
}

void PlainTables::insert(std::span<const NewPost> posts, std::span<const NewReaction> reactions) {
  EventArrays events;
  connection_.begin();
  if (!posts.empty()) {
    Array ids(Type::kInt8);
    Array authors(Type::kInt4);
    Array times(Type::kInt8);
    Array texts(Type::kText);
    for (const NewPost& post : posts) {
      ids.number(int8_of(post.id));
      authors.number(int4_of(post.author));
      times.number(int8_of(post.id));
      texts.raw(post.text);
      events.add(kPosted, post.author, post.id);
    }
    connection_.send(kPutPosts, Params().add(ids).add(authors).add(times).add(texts));
    connection_.send(kPutLogs, Params().add(authors).add(ids));
  }
  if (!reactions.empty()) {
    Array ids(Type::kInt8);
    Array users(Type::kInt4);
    Array types(Type::kInt2);
    Array times(Type::kInt8);
    for (const NewReaction& reaction : reactions) {
      ids.number(int8_of(reaction.post));
      users.number(int4_of(reaction.user));
      types.number(static_cast<std::int16_t>(ReactionType::kLike));
      times.number(int8_of(reaction.post));
      events.add(kReacted, reaction.user, reaction.post);
    }
    connection_.send(kPutReactions, Params().add(ids).add(users).add(types).add(times));
    connection_.send(kPutReactionsBy, Params().add(users).add(ids).add(users));
  }
  connection_.send(
      kPutEvents,
      Params().add(events.topics).add(events.actors).add(events.posts).add(events.times));
  connection_.commit();
}

void PlainTables::follow(std::span<const LoadedEdge> edges) {
  Array followers(Type::kInt4);
  Array followees(Type::kInt4);
  for (const auto& [follower, followee] : edges) {
    followers.number(int4_of(follower));
    followees.number(int4_of(followee));
  }
  connection_.run(kFollow, Params().add(followers).add(followees));
}

void PlainTables::deliver(std::span<const std::pair<UserNumber, PostId>> deliveries) {
  Array readers(Type::kInt4);
  Array posts(Type::kInt8);
  for (const auto& [reader, post] : deliveries) {
    readers.number(int4_of(reader));
    posts.number(int8_of(post));
  }
  connection_.run(kDeliver, Params().add(readers).add(posts));
}

}  // namespace chirp::cli::bench
