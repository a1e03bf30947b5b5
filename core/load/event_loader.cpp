#include "core/load/event_loader.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/load/post_check.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::load {
namespace {

constexpr std::uint64_t packed(UserNumber actor, UserNumber other) {
  return (std::uint64_t{actor.value} << 32) | other.value;
}

std::size_t index_of(EventKind kind) { return static_cast<std::size_t>(kind); }

// Whether events of this kind belong to a post of the other user; a mention does not.
bool falls_on_a_post(EventKind kind) { return kind != EventKind::kMention; }

}  // namespace

EventLoader::EventLoader(Storage& storage, const Clock& clock, Pause pause, EventOptions options)
    : storage_(storage),
      clock_(clock),
      options_(options),
      turns_(clock, std::move(pause)),
      pace_(options.first_rows, options.first_rows, options.most_rows),
      targets_(options.targets) {}

std::optional<std::string> EventLoader::add(std::span<const SourceEvent> row) {
  for (const SourceEvent& event : row) {
    if (!event.time) continue;
    if (auto problem = time_problem(*event.time, clock_.now())) return problem;
  }
  for (const SourceEvent& event : row) {
    if (event.actor == event.other) {
      tally_.self_loops += event.count;
    } else {
      gather(event);
    }
  }
  return std::nullopt;
}

void EventLoader::gather(const SourceEvent& event) {
  SourceEvent single = event;
  single.count = 1;
  for (std::uint32_t i = 0; i < event.count; ++i) {
    if (gathered_.size() >= options_.batch) close_batch();
    gathered_.push_back(single);
  }
}

void EventLoader::finish() { close_batch(); }

void EventLoader::abandon() { gathered_.clear(); }

// The interactions of the batch between two existing users, with their numbers.
std::vector<EventLoader::Interaction> EventLoader::resolved() {
  std::vector<SourceId> ids;
  ids.reserve(gathered_.size() * 2);
  for (const SourceEvent& event : gathered_) {
    ids.push_back(event.actor);
    ids.push_back(event.other);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto numbers = user_numbers(*storage_.snapshot(), words_, ids);
  const auto number_of = [&](SourceId id) {
    return numbers[static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin())];
  };
  std::vector<Interaction> batch;
  batch.reserve(gathered_.size());
  for (const SourceEvent& event : gathered_) {
    const auto actor = number_of(event.actor);
    const auto other = number_of(event.other);
    if (!actor || !other) {
      ++tally_.unknown_users;
      continue;
    }
    const std::uint32_t ordinal = ++seen_[packed(*actor, *other)][index_of(event.kind)];
    batch.push_back({event, *actor, *other, ordinal});
  }
  gathered_.clear();
  return batch;
}

void EventLoader::close_batch() {
  if (gathered_.empty()) return;
  targets_.make_room();
  const std::vector<Interaction> batch = resolved();
  const Time now = clock_.now();
  find_posts(batch);
  make_placeholders(batch, now);

  std::vector<LoadedPost> mention_posts;
  std::vector<LoadedPost> reposts;
  std::vector<LoadedComment> comments;
  std::vector<LoadedReaction> reactions;
  const auto names = names_of(batch);
  for (const Interaction& each : batch) {
    const SourceEvent& event = each.event;
    const Time time = event.time.value_or(now);
    const auto id = [&](MadeUp what) {
      return made_up_id(what, words_.lasting(event.actor), words_.lasting(event.other),
                        each.ordinal);
    };
    if (event.kind == EventKind::kMention && names.at(each.other).empty()) {
      ++tally_.missing;  // removed since the batch was resolved
      continue;
    }
    if (event.kind == EventKind::kMention) {
      mention_posts.push_back(
          {id(MadeUp::kMention), each.actor, time, "@" + names.at(each.other), {}});
      continue;
    }
    const auto post = targets_.find(each.other, each.ordinal);
    if (!post) {
      ++tally_.missing;
    } else if (event.kind == EventKind::kRepost) {
      reposts.push_back({id(MadeUp::kRepost), each.actor, time, {}, *post});
    } else if (event.kind == EventKind::kReply) {
      const std::string text = fmt::format("(reply {} to {})", each.ordinal, names.at(each.other));
      comments.push_back({id(MadeUp::kReply), each.actor, time, text, *post, kNoComment});
    } else {
      reactions.push_back({each.actor, *post, ReactionType::kLike, kNoComment, event.time});
    }
  }
  noted(store_posts(mention_posts));
  tally_.reposts += noted(store_posts(reposts));
  tally_.comments += noted(store(std::span<const LoadedComment>(comments), [&](auto rows) {
    return rules::load_comments(storage_, rows, clock_.now());
  }));
  tally_.reactions += noted(store(std::span<const LoadedReaction>(reactions), [&](auto rows) {
    return rules::load_reactions(storage_, rows, clock_.now());
  }));
}

std::uint64_t EventLoader::noted(const LoadCounts& counts) {
  tally_.add(counts);
  return counts.stored;
}

LoadCounts EventLoader::store_posts(std::span<const LoadedPost> posts) {
  return store(posts, [&](auto rows) { return rules::load_posts(storage_, rows, clock_.now()); });
}

void EventLoader::find_posts(std::span<const Interaction> batch) {
  std::map<UserNumber, std::uint32_t> most;
  for (const Interaction& each : batch) {
    if (!falls_on_a_post(each.event.kind)) continue;
    std::uint32_t& ordinal = most[each.other];
    ordinal = std::max(ordinal, each.ordinal);
  }
  const auto snapshot = storage_.snapshot();
  for (const auto& [author, ordinal] : most) targets_.learn(*snapshot, author, ordinal);
}

std::unordered_map<UserNumber, std::string> EventLoader::names_of(
    std::span<const Interaction> batch) const {
  std::vector<UserNumber> users;
  for (const Interaction& each : batch) users.push_back(each.other);
  std::ranges::sort(users);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  const auto cards = reads::cards(*storage_.snapshot(), users);
  std::unordered_map<UserNumber, std::string> names;
  for (std::size_t i = 0; i < users.size(); ++i) {
    names.emplace(users[i], cards[i] ? cards[i]->username : std::string());
  }
  return names;
}

void EventLoader::make_placeholders(std::span<const Interaction> batch, Time now) {
  struct Need {
    UserNumber author;
    std::uint32_t placeholder;
  };
  std::map<std::pair<UserNumber, std::uint32_t>, const Interaction*> first;
  std::vector<Need> needs;
  for (const Interaction& each : batch) {
    if (!falls_on_a_post(each.event.kind) || targets_.find(each.other, each.ordinal)) continue;
    const std::uint32_t placeholder = targets_.placeholder(each.other, each.ordinal);
    if (first.try_emplace({each.other, placeholder}, &each).second) {
      needs.push_back({each.other, placeholder});
    }
  }
  if (needs.empty()) return;
  std::vector<SourceId> sources;
  for (const Need& need : needs) {
    const SourceId author = words_.lasting(first.at({need.author, need.placeholder})->event.other);
    sources.push_back(made_up_id(MadeUp::kPlaceholder, author, {}, need.placeholder));
  }
  const auto there = reads::contents_of(*storage_.snapshot(), sources);
  const auto names = names_of(batch);
  std::vector<LoadedPost> posts;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (there[i]) continue;
    const auto& [author, placeholder] = needs[i];
    const Time time = first.at({author, placeholder})->event.time.value_or(now);
    posts.push_back({sources[i],
                     author,
                     time,
                     fmt::format("(post {} of {}, not in the data)", placeholder, names.at(author)),
                     {}});
  }
  // A placeholder that can't be made is not a row of the input: its event is counted instead.
  tally_.placeholders += store_posts(posts).stored;
  const auto made = reads::contents_of(*storage_.snapshot(), sources);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (made[i]) targets_.put_placeholder(needs[i].author, needs[i].placeholder, made[i]->post);
  }
}

// Stores rows in transactions whose size the pace sets.
template <class Row, class Store>
LoadCounts EventLoader::store(std::span<const Row> rows, Store store_rows) {
  LoadCounts all;
  turns_.take_all(pace_, rows, [&](std::span<const Row> some) {
    const LoadCounts counts = store_rows(some);
    all.stored += counts.stored;
    all.duplicates += counts.duplicates;
    all.missing += counts.missing;
  });
  return all;
}

namespace {

constexpr std::uint32_t kPostsAtOnce = 256;

bool counts(const std::optional<Post>& post) {
  return post && !post->is_repost() && post->privacy == Privacy::kPublic &&
         !(post->source && is_made_up(post->source->number));
}

}  // namespace

void EventTargets::make_room() {
  if (posts_ + lists_.size() <= most_) return;
  lists_.clear();
  posts_ = 0;
}

void EventTargets::learn(const Snapshot& snapshot, UserNumber author, std::uint32_t ordinal) {
  List& list = lists_[author];
  while (!list.complete && list.own.size() < ordinal) {
    const auto entries = snapshot.author_entries({{&author, 1}, Levels(Privacy::kPublic)},
                                                 {.above = list.read_to, .below = kAboveAllPosts},
                                                 Direction::kUp, kPostsAtOnce);
    list.complete = entries.size() < kPostsAtOnce;
    const auto posts = snapshot.posts(entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      list.read_to = entries[i].id;
      if (!counts(posts[i])) continue;
      list.own.push_back(entries[i].id);
      ++posts_;
    }
  }
}

std::uint32_t EventTargets::placeholder(UserNumber author, std::uint32_t ordinal) const {
  const auto own = static_cast<std::uint32_t>(lists_.at(author).own.size());
  return ordinal > own ? ordinal - own : 0;
}

std::optional<PostId> EventTargets::find(UserNumber author, std::uint32_t ordinal) const {
  const List& list = lists_.at(author);
  if (ordinal <= list.own.size()) return list.own[ordinal - 1];
  const std::size_t made = ordinal - list.own.size();
  if (made > list.made.size() || list.made[made - 1] == kBelowAllPosts) return std::nullopt;
  return list.made[made - 1];
}

void EventTargets::put_placeholder(UserNumber author, std::uint32_t placeholder, PostId post) {
  List& list = lists_[author];
  if (list.made.size() < placeholder) {
    posts_ += placeholder - list.made.size();
    list.made.resize(placeholder);
  }
  list.made[placeholder - 1] = post;
}

}  // namespace chirp::load
