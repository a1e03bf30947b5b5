// Loads and restores of comments, reactions and relations.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "store/memory/content.h"
#include "store/memory/loading.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kBadInput, what); }
[[noreturn]] void refuse_again(const std::string& what) {
  throw Error(ErrorCode::kAlreadyExists,
              what + " is there already. Restore into an empty data directory.");
}

void count_comment(State& state, const Comment& comment) {
  add_content_counters(state, content_of(comment.post), {.comments = 1});
  if (comment.parent != kNoComment) {
    add_content_counters(state, content_of(comment.parent), {.comments = 1});
  }
}

void add_reaction(State& state, ContentId content, UserNumber author, const Reaction& reaction) {
  put_reaction(state, content, author, reaction);
  ContentCounters change;
  change.reactions[index_of(reaction.type)] = 1;
  add_content_counters(state, content, change);
}

bool has_reaction(const State& state, ContentId content, UserNumber user) {
  const auto found = state.reactions.find(content);
  return found != state.reactions.end() && found->second.contains(user);
}

// Whether the comment can hang where it says.
bool hangs(const State& state, const LoadedComment& comment) {
  if (!present(state, comment.author)) return false;
  if (loaded_original(state, comment.post) == nullptr) return false;
  if (comment.parent == kNoComment) return true;
  const auto parent = state.comments.find(comment.parent);
  return parent != state.comments.end() && parent->second.post == comment.post &&
         parent->second.state == CommentState::kThere;
}

// What others may hang on.
std::optional<LoadedContent> content_at(const State& state, ContentId id) {
  if (const Post* post = visible_post(state, PostId{id.value})) {
    const PostId original = post->is_repost() ? post->original : post->id;
    return loaded_original(state, original) ? std::optional(LoadedContent{original}) : std::nullopt;
  }
  const auto comment = state.comments.find(CommentId{id.value});
  if (comment == state.comments.end() || !present(state, comment->second.author) ||
      loaded_original(state, comment->second.post) == nullptr) {
    return std::nullopt;
  }
  return LoadedContent{comment->second.post, comment->second.id};
}

// Whose a post or comment is; empty if it is not there.
std::optional<UserNumber> author_of(const State& state, ContentId content) {
  if (const auto post = state.posts.find(PostId{content.value}); post != state.posts.end()) {
    return post->second.author;
  }
  const auto comment = state.comments.find(CommentId{content.value});
  if (comment == state.comments.end() || comment->second.state == CommentState::kRemoved) {
    return std::nullopt;
  }
  return comment->second.author;
}

}  // namespace

std::vector<std::optional<LoadedContent>> MemoryStorage::contents_of(
    std::span<const SourceId> sources) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::optional<LoadedContent>> result;
  for (const SourceId source : sources) {
    const auto found = state_->post_sources.find(source);
    result.push_back(found == state_->post_sources.end() ? std::nullopt
                                                         : content_at(*state_, found->second));
  }
  return result;
}

LoadCounts MemoryStorage::load_comments(std::span<const LoadedComment> comments, Time now) {
  return transact([&](State& state) {
    LoadCounts counts;
    std::vector<LoadedComment> sorted(comments.begin(), comments.end());
    std::stable_sort(
        sorted.begin(), sorted.end(),
        [](const LoadedComment& a, const LoadedComment& b) { return a.created_at < b.created_at; });
    for (const LoadedComment& loaded : sorted) {
      if (state.post_sources.contains(loaded.source)) {
        ++counts.duplicates;
        continue;
      }
      if (!hangs(state, loaded)) {
        ++counts.missing;
        continue;
      }
      if (counts.stored == 0) mint(state, now);
      Comment comment;
      comment.id = {loaded_id(state, loaded.created_at, loaded.id.value)};
      comment.post = loaded.post;
      comment.author = loaded.author;
      comment.text = loaded.text;
      comment.parent = loaded.parent;
      comment.created_at = loaded.created_at;
      comment.source = loaded.source;
      put_comment(state, comment, state.posts.at(comment.post).author);
      count_comment(state, comment);
      ++counts.stored;
    }
    if (counts.stored > 0) log_load(state, counts.stored, now);
    return counts;
  });
}

LoadCounts MemoryStorage::load_reactions(std::span<const LoadedReaction> reactions, Time now) {
  return transact([&](State& state) {
    LoadCounts counts;
    for (const auto& [user, id, type] : reactions) {
      const Post* post = loaded_original(state, id);
      if (post == nullptr || !present(state, user)) {
        ++counts.missing;
      } else if (has_reaction(state, content_of(id), user)) {
        ++counts.duplicates;
      } else {
        add_reaction(state, content_of(id), post->author, {user, type, now, {}});
        ++counts.stored;
      }
    }
    if (counts.stored > 0) log_load(state, counts.stored, now);
    return counts;
  });
}

void MemoryStorage::restore_comments(std::span<const Comment> comments, Time now) {
  transact([&](State& state) {
    std::set<CommentId> given;
    for (const Comment& comment : comments) {
      const std::string name = "The comment " + std::to_string(comment.id.value);
      if (!state.posts.contains(comment.post)) refuse(name + " is under a post that is not there.");
      if (state.comments.contains(comment.id) || !given.insert(comment.id).second) {
        refuse_again(name);
      }
    }
    for (const Comment& comment : comments) {
      put_comment(state, comment, state.posts.at(comment.post).author);
      if (comment.state == CommentState::kThere) count_comment(state, comment);
      state.scalars.last_id = std::max(state.scalars.last_id, PostId{comment.id.value});
    }
    if (!comments.empty()) log_load(state, comments.size(), now);
  });
}

void MemoryStorage::restore_reactions(std::span<const RestoredReaction> reactions, Time now) {
  transact([&](State& state) {
    std::set<std::pair<ContentId, UserNumber>> given;
    for (const auto& [content, user, type, since] : reactions) {
      if (!author_of(state, content)) {
        refuse("There is no post or comment " + std::to_string(content.value) + " to react to.");
      }
      if (has_reaction(state, content, user) || !given.insert({content, user}).second) {
        refuse_again("A reaction of the export");
      }
    }
    for (const auto& [content, user, type, since] : reactions) {
      add_reaction(state, content, *author_of(state, content), {user, type, since, {}});
    }
    if (!reactions.empty()) log_load(state, reactions.size(), now);
  });
}

void MemoryStorage::restore_relations(std::span<const RestoredRelation> relations, Time now) {
  transact([&](State& state) {
    std::set<std::tuple<UserNumber, UserNumber, Relation>> given;
    for (const auto& [user, other, relation, since] : relations) {
      if (related(state, user, relation, other) || !given.insert({user, other, relation}).second) {
        refuse_again("A block or mute of the export");
      }
    }
    for (const auto& [user, other, relation, since] : relations) {
      put_relation(state, user, relation, other, since);
    }
    if (!relations.empty()) log_load(state, relations.size(), now);
  });
}

}  // namespace chirp::memory
