// Posts, comments, reactions, counters of posts, and hashtags.
#include <algorithm>

#include "store/query/readers.h"
#include "store/query/table.h"

namespace chirp::query {
namespace {

// ---- posts

auto post_writer(Sources& from) {
  return [&from](const Post& post, std::size_t column, Cell& cell) {
    switch (column) {
      case 0:
        return cell.id(post.id);
      case 1:
        return cell.id(from.id_of(post.author));
      case 2:
        return cell.text(post.text);
      case 3:
        return cell.time(post.created_at);
      case 4:
        return cell.text(chirp::name(post.privacy));
      case 5:
        return cell.id(post.original);
      case 6:
        return cell.integer(static_cast<std::int64_t>(post.media.size()));
      case 7:
        if (post.source) cell.text(text_of(*post.source));
        return;
      default:
        return;
    }
  };
}

auto post_taker(const Sources& from) {
  return [&from](std::vector<Post>& rows, const tables::Posts::Key& /*key*/, const Post& post) {
    if (from.is_there(post)) rows.push_back(post);
  };
}

std::unique_ptr<Scan> all_posts(Sources& from, SoughtValues /*values*/, const IdWalk& walk) {
  return walked<Post>(
      from, KeyWalk<tables::Posts>({PostId{walk.first}}, {PostId{walk.last}}, walk.direction),
      post_taker(from), post_writer(from));
}

std::unique_ptr<Scan> post_by_id(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const PostId id{query::id_of(values[0])};
  return all_posts(from, {}, {id.value, id.value, Direction::kUp});
}

std::unique_ptr<Scan> posts_by_author(Sources& from, SoughtValues values, const IdWalk& walk) {
  const auto author = from.user(integer_of(values[0]));
  if (!author) return nothing();
  const bool is_down = walk.direction == Direction::kDown;
  IdRange rest{PostId{std::max<std::uint64_t>(walk.first, 1) - 1},
               PostId{std::min(walk.last, kAboveAllPosts.value - 1) + 1}};
  return scan<Post>(
      [&from, author = *author, direction = walk.direction, is_down, rest](
          std::vector<Post>& rows, std::uint32_t most) mutable {
        const auto entries = from.snapshot().author_entries({&author, 1}, rest, direction, most);
        if (entries.empty()) return false;
        (is_down ? rest.below : rest.above) = entries.back().id;
        std::vector<tables::Posts::Key> keys;
        for (const Entry& entry : entries) keys.push_back({entry.id});
        for (auto& post : from.snapshot().find_all(keys)) {
          if (post && from.is_there(*post)) rows.push_back(*std::move(post));
        }
        return true;
      },
      post_writer(from));
}

// ---- counters of posts

struct StoredCounts {
  PostId post;
  ContentCounters counters;
};

void write_counted(const StoredCounts& counted, std::size_t column, Cell& cell) {
  if (column == 0) return cell.id(counted.post);
  if (column <= kReactionTypes) return cell.integer(counted.counters.reactions[column - 1]);
  switch (column - kReactionTypes) {
    case 1:
      return cell.integer(counted.counters.reactions_in_all());
    case 2:
      return cell.integer(counted.counters.comments);
    default:
      return cell.integer(counted.counters.reposts);
  }
}

std::unique_ptr<Scan> all_post_counters(Sources& from, SoughtValues /*values*/,
                                        const IdWalk& walk) {
  KeyWalk<tables::Posts> posts({PostId{walk.first}}, {PostId{walk.last}}, walk.direction);
  return scan<StoredCounts>(
      [&from, posts](std::vector<StoredCounts>& rows, std::uint32_t most) mutable {
        const auto found = posts.next(from.snapshot(), most);
        std::vector<ContentId> contents;
        for (const auto& [key, post] : found) {
          if (!post.is_repost() && from.is_there(post)) contents.push_back(content_of(key.id));
        }
        const auto counters = from.snapshot().content_counters(contents);
        for (std::size_t i = 0; i < contents.size(); ++i) {
          rows.push_back({PostId{contents[i].value}, counters[i]});
        }
        return !found.empty();
      },
      write_counted);
}

std::unique_ptr<Scan> post_counters_by_post(Sources& from, SoughtValues values,
                                            const IdWalk& /*walk*/) {
  const std::uint64_t id = query::id_of(values[0]);
  return all_post_counters(from, {}, {id, id, Direction::kUp});
}

// ---- comments

auto comment_writer(Sources& from) {
  return [&from](const Comment& comment, std::size_t column, Cell& cell) {
    switch (column) {
      case 0:
        return cell.id(comment.id);
      case 1:
        return cell.id(comment.post);
      case 2:
        return cell.id(comment.parent);
      case 3:
        return cell.id(from.id_of(comment.author));
      case 4:
        return cell.text(comment.text);
      case 5:
        return cell.time(comment.created_at);
      case 6:
        if (comment.source) cell.text(text_of(*comment.source));
        return;
      default:
        return;
    }
  };
}

auto comment_taker(const Sources& from) {
  return [&from](std::vector<Comment>& rows, const tables::Comments::Key& /*key*/,
                 const Comment& comment) {
    if (from.is_there(comment)) rows.push_back(comment);
  };
}

std::unique_ptr<Scan> all_comments(Sources& from, SoughtValues /*values*/, const IdWalk& walk) {
  return walked<Comment>(
      from,
      KeyWalk<tables::Comments>({CommentId{walk.first}}, {CommentId{walk.last}}, walk.direction),
      comment_taker(from), comment_writer(from));
}

std::unique_ptr<Scan> comment_by_id(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const std::uint64_t id = query::id_of(values[0]);
  return all_comments(from, {}, {id, id, Direction::kUp});
}

std::unique_ptr<Scan> comments_by_post(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const PostId post{query::id_of(values[0])};
  using tables::HiddenThreads;
  using tables::Threads;
  return scan<Comment>(
      [&from, take = comment_taker(from),
       shown = KeyWalk<Threads>({post, kNoComment, kNoComment}, {post, kLastComment, kLastComment}),
       hidden = KeyWalk<HiddenThreads>({post, kNoComment, kNoComment},
                                       {post, kLastComment, kLastComment})](
          std::vector<Comment>& rows, std::uint32_t most) mutable {
        std::vector<tables::Comments::Key> keys;
        for (const auto& [key, row] : shown.next(from.snapshot(), most))
          keys.push_back({key.comment});
        if (keys.empty()) {
          for (const auto& [key, row] : hidden.next(from.snapshot(), most))
            keys.push_back({key.comment});
        }
        const auto found = from.snapshot().find_all(keys);
        for (std::size_t i = 0; i < keys.size(); ++i) {
          if (found[i]) take(rows, keys[i], *found[i]);
        }
        return !keys.empty();
      },
      comment_writer(from));
}

std::unique_ptr<Scan> comments_by_author(Sources& from, SoughtValues values, const IdWalk& walk) {
  const auto author = from.user(integer_of(values[0]));
  if (!author) return nothing();
  return looked_up<Comment, tables::Comments>(
      from,
      KeyWalk<tables::CommentsBy>({*author, CommentId{walk.first}}, {*author, CommentId{walk.last}},
                                  walk.direction),
      [](const tables::CommentsBy::Key& key) { return tables::Comments::Key{key.comment}; },
      comment_taker(from), comment_writer(from));
}

// ---- reactions

auto reaction_writer(Sources& from) {
  return [&from](const ReactionRow& row, std::size_t column, Cell& cell) {
    if (column == 0) return cell.id(row.content);
    if (column == 1) return cell.id(from.id_of(row.reaction.user));
    if (column == 2) return cell.text(chirp::name(row.reaction.type));
    cell.time(row.reaction.since);
  };
}

auto reaction_taker(const Sources& from) {
  return [&from](std::vector<ReactionRow>& rows, const tables::Reactions::Key& key,
                 const Reaction& reaction) {
    if (!from.is_there(key.user) || !from.is_there(key.content)) return;
    rows.push_back({key.content, reaction});
  };
}

std::unique_ptr<Scan> reactions_between(Sources& from, const tables::Reactions::Key& first,
                                        const tables::Reactions::Key& last) {
  return walked<ReactionRow>(from, KeyWalk<tables::Reactions>(first, last), reaction_taker(from),
                             reaction_writer(from));
}

std::unique_ptr<Scan> all_reactions(Sources& from, SoughtValues /*values*/,
                                    const IdWalk& /*walk*/) {
  return reactions_between(from, {ContentId{0}, kNobody}, {content_of(kLastComment), kLastUser});
}

std::unique_ptr<Scan> reactions_by_content(Sources& from, SoughtValues values,
                                           const IdWalk& /*walk*/) {
  const ContentId content{query::id_of(values[0])};
  return reactions_between(from, {content, kNobody}, {content, kLastUser});
}

std::unique_ptr<Scan> one_reaction(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const ContentId content{query::id_of(values[0])};
  const auto user = from.user(integer_of(values[1]));
  return user ? reactions_between(from, {content, *user}, {content, *user}) : nothing();
}

std::unique_ptr<Scan> reactions_by_user(Sources& from, SoughtValues values,
                                        const IdWalk& /*walk*/) {
  const auto user = from.user(integer_of(values[0]));
  if (!user) return nothing();
  return looked_up<ReactionRow, tables::Reactions>(
      from, KeyWalk<tables::ReactionsBy>({*user, ContentId{0}}, {*user, content_of(kLastComment)}),
      [](const tables::ReactionsBy::Key& key) {
        return tables::Reactions::Key{key.content, key.user};
      },
      reaction_taker(from), reaction_writer(from));
}

// ---- hashtags

struct TagRow {
  PostId post;
  UserNumber author;
  std::string tag;
};

std::unique_ptr<Scan> all_tags(Sources& from, SoughtValues /*values*/, const IdWalk& walk) {
  return walked<TagRow>(
      from, KeyWalk<tables::TagUses>({PostId{walk.first}}, {PostId{walk.last}}, walk.direction),
      [&from](std::vector<TagRow>& rows, const tables::TagUses::Key& key,
              const TaggedPost& tagged) {
        if (!from.is_there(tagged.author)) return;
        for (const std::string& tag : tagged.tags) rows.push_back({key.post, tagged.author, tag});
      },
      [&from](const TagRow& tag, std::size_t column, Cell& cell) {
        if (column == 0) return cell.id(tag.post);
        if (column == 1) return cell.id(from.id_of(tag.author));
        cell.text(tag.tag);
      });
}

std::unique_ptr<Scan> tags_by_post(Sources& from, SoughtValues values, const IdWalk& /*walk*/) {
  const std::uint64_t id = query::id_of(values[0]);
  return all_tags(from, {}, {id, id, Direction::kUp});
}

}  // namespace

std::vector<QueryTable> tables_of_content() {
  constexpr ColumnType kInteger = ColumnType::kInteger;
  constexpr ColumnType kText = ColumnType::kText;
  return {
      {"posts",
       "posts and reposts",
       {{"id", kInteger, "as in `post show`"},
        {"author", kInteger, "a user's id"},
        {"text", kText, "empty of a repost"},
        {"created_at", kText, "of writing"},
        {"privacy", kText, "public, followers or private"},
        {"repost_of", kInteger, "the id of the original, or NULL"},
        {"media", kInteger, "how many files and addresses hang on it"},
        {"source_id", kText, "in the source that a load brought, a number or a word, or NULL"}},
       "id",
       "posts",
       0,
       {{"all", {}, 0, true, all_posts},
        {"id", {0}, 1, true, post_by_id},
        {"author", {1}, 50, true, posts_by_author}}},
      {"post_counters",
       "what is counted of each post that is no repost, up to now",
       {{"post", kInteger, "its id"},
        {"likes", kInteger, "of the five kinds of reactions"},
        {"loves", kInteger, ""},
        {"laughs", kInteger, ""},
        {"angers", kInteger, ""},
        {"sads", kInteger, ""},
        {"reactions", kInteger, "all kinds together"},
        {"comments", kInteger, ""},
        {"reposts", kInteger, ""}},
       "post",
       "posts",
       0,
       {{"all", {}, 0, true, all_post_counters}, {"post", {0}, 1, true, post_counters_by_post}}},
  };
}

std::vector<QueryTable> tables_of_talk() {
  constexpr ColumnType kInteger = ColumnType::kInteger;
  constexpr ColumnType kText = ColumnType::kText;
  return {
      {"comments",
       "comments and their replies",
       {{"id", kInteger, ""},
        {"post", kInteger, "the id of the post above"},
        {"parent", kInteger, "the id of the comment that it answers, or NULL"},
        {"author", kInteger, "a user's id"},
        {"text", kText, ""},
        {"created_at", kText, "of writing"},
        {"source_id", kText, "in the source that a load brought, a number or a word, or NULL"}},
       "id",
       "comments",
       0,
       {{"all", {}, 0, true, all_comments},
        {"id", {0}, 1, true, comment_by_id},
        {"post", {1}, 20, false, comments_by_post},
        {"author", {3}, 50, true, comments_by_author}}},
      {"reactions",
       "reactions to posts, and likes of comments",
       {{"content", kInteger, "the id of the post or comment"},
        {"user", kInteger, "a user's id"},
        {"kind", kText, "like, love, laugh, angry or sad"},
        {"since", kText, ""}},
       "content, user",
       "reactions",
       {},
       {{"all", {}, 0, false, all_reactions},
        {"content", {0}, 20, false, reactions_by_content},
        {"user", {1}, 50, false, reactions_by_user},
        {"content and user", {0, 1}, 1, false, one_reaction}}},
      {"hashtags",
       "hashtags of public posts of the last seven days, but for events pending for trends",
       {{"post", kInteger, "its id"},
        {"author", kInteger, "a user's id"},
        {"tag", kText, "in lower case, without the sign"}},
       "post, tag",
       "tag_uses",
       0,
       {{"all", {}, 0, true, all_tags}, {"post", {0}, 2, true, tags_by_post}}},
  };
}

}  // namespace chirp::query
