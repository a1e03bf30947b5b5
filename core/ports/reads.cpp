#include "core/ports/reads.h"

#include <algorithm>
#include <functional>

#include "core/limits.h"

namespace chirp {

std::optional<Post> ContentReader::post(PostId id) const {
  return std::move(posts_at({&id, 1}).front());
}

std::vector<std::optional<Post>> ContentReader::posts(std::span<const Entry> entries) const {
  std::vector<PostId> ids;
  ids.reserve(entries.size());
  for (const Entry& entry : entries) ids.push_back(entry.id);
  auto posts = posts_at(ids);
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (posts[i] && posts[i]->author != entries[i].author) posts[i].reset();
  }
  return posts;
}

}  // namespace chirp

namespace chirp::reads {

using namespace tables;

namespace {

constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

// Looks up the keys that `key_of` makes from `items`.
template <class T, class Items, class KeyOf>
auto find_each(const TableReader<T>& table, const Items& items, KeyOf key_of) {
  std::vector<typename T::Key> keys;
  keys.reserve(items.size());
  for (const auto& item : items) keys.push_back(key_of(item));
  return table.find_all(keys);
}

// Looks up source ids; numbers and words have separate tables.
template <class Numbers, class Words>
std::vector<std::optional<typename Numbers::Row>> find_sources(const RowReader& rows,
                                                               std::span<const SourceKey> sources) {
  std::vector<std::optional<typename Numbers::Row>> found(sources.size());
  std::vector<std::size_t> numbers;
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    (sources[i].is_word() ? words : numbers).push_back(i);
  }
  const auto take = [&](const std::vector<std::size_t>& at, const auto& some) {
    for (std::size_t i = 0; i < at.size(); ++i) found[at[i]] = some[i];
  };
  if (!numbers.empty()) {
    take(numbers, find_each<Numbers>(rows, numbers, [&](std::size_t i) {
           return typename Numbers::Key{sources[i].number};
         }));
  }
  if (!words.empty()) {
    take(words, find_each<Words>(rows, words, [&](std::size_t i) {
           return typename Words::Key{sources[i].word};
         }));
  }
  return found;
}

// A page of rows that hold a time; the keys end with the other user.
template <class T>
EdgePage page_of(const TableReader<T>& table, const typename T::Key& first,
                 const typename T::Key& last, std::uint32_t limit, UserNumber T::Key::*other) {
  EdgePage page;
  if (first > last) return page;
  const auto rows = table.range(first, last, Direction::kUp, limit == kAll ? kAll : limit + 1);
  page.more = rows.size() > limit;
  page.edges.reserve(rows.size());
  for (const auto& [key, since] : rows) {
    if (page.edges.size() < limit) page.edges.push_back({key.*other, since});
  }
  return page;
}

// The next id. The last id has no next one, so callers check for it.
template <class Id>
Id next(Id id) {
  return {id.value + 1};
}

template <class Row, class Pairs>
std::vector<Row> rows_of(Pairs pairs) {
  std::vector<Row> rows;
  rows.reserve(pairs.size());
  for (auto& [key, row] : pairs) rows.push_back(std::move(row));
  return rows;
}

}  // namespace

std::vector<ReactionRow> reactions_above(const RowReader& rows, ContentId content, UserNumber user,
                                         std::uint32_t limit) {
  std::vector<ReactionRow> found;
  for (const auto& [key, reaction] : above<Reactions>(rows, {content, user}, limit)) {
    found.push_back({key.content, reaction});
  }
  return found;
}

std::vector<std::pair<UserNumber, UserCounters>> counters_above(const RowReader& rows,
                                                                UserNumber after,
                                                                std::uint32_t limit) {
  std::vector<std::pair<UserNumber, UserCounters>> found;
  for (const auto& [key, counters] : above<UserCounts>(rows, {after}, limit)) {
    found.emplace_back(key.user, counters);
  }
  return found;
}

std::vector<ContentDelta> content_counters_above(const RowReader& rows, ContentId after,
                                                 std::uint32_t limit) {
  std::vector<ContentDelta> found;
  for (const auto& [key, counters] : above<ContentCounts>(rows, {after}, limit)) {
    found.push_back({key.content, counters});
  }
  return found;
}

// ---------------------------------------------------------------- users

std::vector<std::optional<AuthorCard>> cards(const RowReader& rows,
                                             std::span<const UserNumber> numbers) {
  return find_each<Cards>(rows, numbers, [](UserNumber user) { return Cards::Key{user}; });
}

std::vector<std::optional<UserNumber>> numbers_of(const RowReader& rows,
                                                  std::span<const SourceId> sources) {
  return find_each<UserSources>(rows, sources, [](SourceId id) { return UserSources::Key{id}; });
}

std::vector<std::optional<UserNumber>> numbers_of(const RowReader& rows,
                                                  std::span<const SourceKey> sources) {
  return find_sources<UserSources, UserWords>(rows, sources);
}

std::vector<UserNumber> unfinished_removals(const RowReader& rows) {
  std::vector<UserNumber> users;
  for (const auto& [key, nothing] : above<Removals>(rows, {kNobody}, kAll)) {
    users.push_back(key.user);
  }
  return users;
}

EdgePage following(const RowReader& rows, UserNumber user, UserNumber after, std::uint32_t limit) {
  if (after == Greatest{}) return {};
  return page_of<Following>(rows, {user, next(after)}, {user, Greatest{}}, limit,
                            &Following::Key::followee);
}

EdgePage followers(const RowReader& rows, UserNumber user, UserNumber after, std::uint32_t limit) {
  if (after == Greatest{}) return {};
  return page_of<Followers>(rows, {user, next(after)}, {user, Greatest{}}, limit,
                            &Followers::Key::follower);
}

EdgePage related(const RowReader& rows, UserNumber user, Relation relation, UserNumber after,
                 std::uint32_t limit) {
  if (after == Greatest{}) return {};
  return page_of<Relations>(rows, {user, relation, next(after)}, {user, relation, Greatest{}},
                            limit, &Relations::Key::other);
}

std::optional<Time> follows(const RowReader& rows, UserNumber follower, UserNumber followee) {
  return rows.find(Following::Key{follower, followee});
}

// ---------------------------------------------------------------- posts, comments, reactions

namespace {

// The contents with these ids, if they exist and their authors are present or suspended.
std::vector<std::optional<LoadedContent>> contents_at(
    const RowReader& rows, std::span<const std::optional<ContentId>> ids) {
  std::vector<std::optional<LoadedContent>> contents(ids.size());
  // First the existing contents are found with their targets and authors, then presence is checked.
  struct Found {
    std::size_t at;
    LoadedContent content;
    UserNumber author;
  };
  std::vector<std::size_t> held;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i]) held.push_back(i);
  }
  const auto posts =
      find_each<Posts>(rows, held, [&](std::size_t i) { return Posts::Key{{ids[i]->value}}; });
  std::vector<Found> found;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!posts[i]) {
      others.push_back(held[i]);
      continue;
    }
    const Post& post = *posts[i];
    found.push_back({held[i], {post.is_repost() ? post.original : post.id}, post.author});
  }
  const auto comments = find_each<Comments>(
      rows, others, [&](std::size_t i) { return Comments::Key{{ids[i]->value}}; });
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!comments[i]) continue;
    found.push_back({others[i], {comments[i]->post, comments[i]->id}, comments[i]->author});
  }
  const auto originals =
      find_each<Posts>(rows, found, [](const Found& one) { return Posts::Key{one.content.post}; });
  std::vector<UserNumber> people;
  for (std::size_t i = 0; i < found.size(); ++i) {
    people.push_back(found[i].author);
    people.push_back(originals[i] ? originals[i]->author : kNobody);
  }
  const auto cards = reads::cards(rows, people);
  const auto kept = [&](std::size_t i) {
    return cards[i] && cards[i]->presence != Presence::kRemoved;
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool original = originals[i] && !originals[i]->is_repost();
    if (original && kept(2 * i) && kept(2 * i + 1)) contents[found[i].at] = found[i].content;
  }
  return contents;
}

}  // namespace

std::vector<std::optional<LoadedContent>> contents_of(const RowReader& rows,
                                                      std::span<const SourceId> sources) {
  return contents_at(rows, find_each<PostSources>(
                               rows, sources, [](SourceId id) { return PostSources::Key{id}; }));
}

std::vector<std::optional<LoadedContent>> contents_of(const RowReader& rows,
                                                      std::span<const SourceKey> sources) {
  return contents_at(rows, find_sources<PostSources, PostWords>(rows, sources));
}

std::vector<bool> media_named(const RowReader& rows, std::span<const MediaId> uploads) {
  std::vector<KeyRange<MediaUses>> wanted;
  for (const MediaId upload : uploads) {
    wanted.push_back({{upload, kBelowAllPosts}, {upload, kAboveAllPosts}});
  }
  const TableReader<MediaUses> table = rows;
  std::vector<bool> named;
  for (const auto& uses : table.ranges(wanted, Direction::kUp, 1, kAll)) {
    named.push_back(!uses.empty());
  }
  return named;
}

std::vector<std::optional<Comment>> comments(const RowReader& rows,
                                             std::span<const CommentId> ids) {
  return find_each<Comments>(rows, ids, [](CommentId id) { return Comments::Key{id}; });
}

std::vector<std::optional<Reaction>> reactions_of(const RowReader& rows, UserNumber user,
                                                  std::span<const ContentId> contents) {
  return find_each<Reactions>(rows, contents, [&](ContentId content) {
    return Reactions::Key{content, user};
  });
}

std::vector<Reaction> reactions(const RowReader& rows, ContentId content, UserNumber after,
                                std::optional<ReactionType> type, std::uint32_t limit) {
  std::vector<Reaction> found;
  // For one type, reads more rows than are wanted.
  const std::uint32_t block = type ? std::max(limit, 256u) : limit;
  while (found.size() < limit && after != Greatest{}) {
    const auto some = rows.range(Reactions::Key{content, next(after)},
                                 Reactions::Key{content, Greatest{}}, Direction::kUp, block);
    for (const auto& [key, reaction] : some) {
      const bool wanted = !type || reaction.type == *type;
      if (wanted && found.size() < limit) found.push_back(reaction);
    }
    if (some.size() < block) break;
    after = some.back().first.user;
  }
  return found;
}

std::vector<Entry> reposts(const RowReader& rows, PostId original, UserNumber after,
                           std::uint32_t limit) {
  std::vector<Entry> found;
  if (after == Greatest{}) return found;
  for (const auto& [key, id] :
       rows.range(RepostsOf::Key{original, next(after)}, RepostsOf::Key{original, Greatest{}},
                  Direction::kUp, limit)) {
    found.push_back({id, key.user});
  }
  return found;
}

std::vector<std::optional<PostId>> reposts_by(const RowReader& rows, UserNumber user,
                                              std::span<const PostId> originals) {
  return find_each<RepostsOf>(rows, originals, [&](PostId original) {
    return RepostsOf::Key{original, user};
  });
}

std::vector<UserNumber> recent_partners(const RowReader& rows, UserNumber user,
                                        std::uint32_t limit) {
  std::vector<std::pair<std::uint64_t, UserNumber>> found;
  for (const auto& [key, author] :
       rows.range(ReactionsBy::Key{user, {}}, ReactionsBy::Key{user, Greatest{}}, Direction::kDown,
                  limit)) {
    found.emplace_back(key.content.value, author);
  }
  for (const auto& [key, author] :
       rows.range(CommentsBy::Key{user, kNoComment}, CommentsBy::Key{user, Greatest{}},
                  Direction::kDown, limit)) {
    found.emplace_back(key.comment.value, author);
  }
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& one) { return one.first; });
  if (found.size() > limit) found.resize(limit);
  std::vector<UserNumber> partners;
  partners.reserve(found.size());
  for (const auto& [id, partner] : found) partners.push_back(partner);
  return partners;
}

std::vector<TaggedPost> tagged_posts(const RowReader& rows, PostId below, std::uint32_t limit) {
  if (below == kBelowAllPosts) return {};
  return rows_of<TaggedPost>(rows.range(TagUses::Key{kBelowAllPosts},
                                        TagUses::Key{{below.value - 1}}, Direction::kDown, limit));
}

std::vector<Entry> posts_with_tag(const RowReader& rows, const std::string& tag, PostId below,
                                  std::uint32_t limit) {
  std::vector<Entry> entries;
  const bool is_tag = tag.size() <= limits::kTagBytesMax && tag.find('\0') == std::string::npos;
  if (below == kBelowAllPosts || !is_tag) return entries;
  for (const auto& [key, author] :
       rows.range(TagPosts::Key{tag, kBelowAllPosts}, TagPosts::Key{tag, {below.value - 1}},
                  Direction::kDown, limit)) {
    entries.push_back({key.post, author});
  }
  return entries;
}

std::optional<PostId> oldest_tagged_post(const RowReader& rows) {
  const auto first =
      rows.range(TagUses::Key{kBelowAllPosts}, TagUses::Key{kAboveAllPosts}, Direction::kUp, 1);
  if (first.empty()) return std::nullopt;
  return first.front().first.post;
}

std::vector<ContentId> unfinished_post_removals(const RowReader& rows) {
  std::vector<ContentId> contents;
  for (const auto& [key, nothing] : above<PostRemovals>(rows, {ContentId{}}, kAll)) {
    contents.push_back(key.content);
  }
  return contents;
}

// ---------------------------------------------------------------- notifications, reading marks

std::vector<events::Notification> notifications(const RowReader& rows, UserNumber user,
                                                Sequence before, std::uint32_t limit) {
  if (before == Sequence{0}) return {};
  return rows_of<events::Notification>(rows.range(Notifications::Key{user, Sequence{0}},
                                                  Notifications::Key{user, {before.value - 1}},
                                                  Direction::kDown, limit));
}

ReadingMarks reading(const RowReader& rows, UserNumber user) {
  return rows.find(Readers::Key{user}).value_or(Readers::Row{});
}

// ---------------------------------------------------------------- the log, the settings

std::vector<events::Event> events(const RowReader& rows, Sequence from, std::uint32_t limit) {
  return rows_of<events::Event>(
      rows.range(Events::Key{from}, Events::Key{Greatest{}}, Direction::kUp, limit));
}

std::vector<FanOutRow> fan_out_queue(const RowReader& rows, std::uint32_t limit) {
  return rows_of<FanOutRow>(rows.range(FanOutQueue::Key{Sequence{0}}, FanOutQueue::Key{Greatest{}},
                                       Direction::kUp, limit));
}

std::map<std::string, std::string> plain_settings(const RowReader& rows) {
  const std::string above_all(PlainSettings::kNameMax, '\xFF');  // no name contains this byte
  std::map<std::string, std::string> settings;
  for (auto& [key, value] :
       rows.range(PlainSettings::Key{}, PlainSettings::Key{above_all}, Direction::kUp, kAll)) {
    settings.emplace(key.name, std::move(value));
  }
  return settings;
}

}  // namespace chirp::reads
