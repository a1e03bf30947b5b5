#include "cli/load/trial.h"

#include <algorithm>

#include "core/load/times.h"
#include "core/model/names.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

// Ids asked for at once.
constexpr std::size_t kAskRows = 65'536;

std::uint64_t pair_of(load::Slot follower, load::Slot followee) {
  return std::uint64_t{follower} << 32 | followee;
}

// Asks for the ids of a table, so many at once: `ask` gets them and the first one's slot.
template <class Ask>
void each_batch(const load::IdTable& ids, Ask ask) {
  for (std::size_t first = 0; first < ids.size(); first += kAskRows) {
    std::vector<SourceId> some;
    for (std::size_t i = first; i < std::min(first + kAskRows, ids.size()); ++i) {
      some.push_back(ids.id(static_cast<load::Slot>(i)));
    }
    ask(some, static_cast<load::Slot>(first));
  }
}

}  // namespace

std::uint32_t PeopleTrial::named(const std::string& username) {
  return names_.try_emplace(folded(username), static_cast<std::uint32_t>(names_.size()))
      .first->second;
}

std::uint64_t PeopleTrial::finish(const Snapshot* snapshot) {
  std::uint64_t added = ids_.size() + names_.size();
  if (snapshot != nullptr) {
    each_batch(ids_, [&](const std::vector<SourceId>& ids, load::Slot first) {
      const auto numbers = reads::numbers_of(*snapshot, existing_.keys_of(ids));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!numbers[i]) continue;
        ids_.set_number(first + static_cast<load::Slot>(i), *numbers[i]);
        --added;
      }
    });
  }
  if (existing_.users != nullptr) {
    named_.assign(names_.size(), kNobody);
    for (const auto& [name, place] : names_) {
      const auto user = existing_.users->find_name(name);
      if (!user) continue;
      named_[place] = user->number;
      --added;
    }
  }
  return added;
}

void PeopleTrial::name(SourceId id) {
  if (said_.size() < kTrialRows) said_.push_back(id);
}

std::uint64_t PeopleTrial::names_without_user() {
  std::vector<SourceId> others;
  const std::size_t known = ids_.size();
  for (const SourceId id : said_) {
    if (ids_.has_room(1) && ids_.slot_of(id) >= known) others.push_back(id);
  }
  if (existing_.storage == nullptr || others.empty()) return others.size();
  const auto numbers = reads::numbers_of(*existing_.storage->snapshot(), existing_.keys_of(others));
  return static_cast<std::uint64_t>(
      std::ranges::count_if(numbers, [](const auto& number) { return !number; }));
}

void EdgeTrial::add(std::span<const load::SourceEdge> edges, bool both_ways) {
  for (const load::SourceEdge& edge : edges) {
    if (edge.follower == edge.followee) {
      ++counts_.self_loops;
      continue;
    }
    if (gathered_.size() + 2 > kTrialEdges) compact();
    if (full_ || !people_.has_room()) {
      full_ = true;
      counts_.stored += both_ways ? 2 : 1;
      continue;
    }
    const load::Slot follower = people_.slot_of(edge.follower);
    const load::Slot followee = people_.slot_of(edge.followee);
    gathered_.push_back(pair_of(follower, followee));
    if (both_ways) gathered_.push_back(pair_of(followee, follower));
  }
}

void EdgeTrial::meet(SourceId id) {
  if (people_.has_room()) (void)people_.slot_of(id);
}

void EdgeTrial::compact() {
  const std::size_t before = gathered_.size();
  std::ranges::sort(gathered_);
  gathered_.erase(std::unique(gathered_.begin(), gathered_.end()), gathered_.end());
  counts_.duplicates += before - gathered_.size();
  full_ = gathered_.size() > kTrialEdges / 2;
}

// Counts the follows that were gathered, between users who are there: those that a block forbids,
// and of the others those that are there.
void EdgeTrial::count_there(const Snapshot& snapshot) {
  using Block = tables::Relations::Key;
  std::vector<tables::Following::Key> follows;
  std::vector<Block> blocks;
  const auto ask = [&] {
    const auto there = snapshot.find_all(std::span<const tables::Following::Key>(follows));
    const auto set = snapshot.find_all(std::span<const Block>(blocks));
    for (std::size_t i = 0; i < there.size(); ++i) {
      const bool severed = set[2 * i] || set[2 * i + 1];
      counts_.severed += severed ? 1u : 0u;
      counts_.duplicates += !severed && there[i] ? 1u : 0u;
      counts_.stored -= (severed || there[i]) ? 1u : 0u;
    }
    follows.clear();
    blocks.clear();
  };
  for (const std::uint64_t pair : gathered_) {
    const UserNumber follower = people_.number(static_cast<load::Slot>(pair >> 32));
    const UserNumber followee = people_.number(static_cast<load::Slot>(pair));
    if (follower == kNobody || followee == kNobody) continue;
    follows.push_back({follower, followee});
    blocks.push_back({follower, Relation::kBlock, followee});
    blocks.push_back({followee, Relation::kBlock, follower});
    if (follows.size() == kAskRows) ask();
  }
  ask();
}

void EdgeTrial::finish() {
  const bool was_full = full_;
  compact();
  full_ = was_full;
  const auto snapshot = existing_.snapshot();
  counts_.users_added = people_.finish(snapshot.get());
  counts_.stored += gathered_.size();
  if (snapshot) count_there(*snapshot);
}

std::optional<std::string> PostTrial::add(load::SourcePost&& post, Time now, std::string& inner) {
  std::uint64_t removed = 0;
  if (auto problem = load::check_post(post, author_, now, removed)) return problem;
  inner = std::exchange(post.original_problem, {});
  for (load::SourcePost& original : post.original) {
    if (auto problem = load::check_post(original, load::Author::kFromSource, now, removed)) {
      inner = *std::move(problem);
    } else {
      take(original, true);
    }
  }
  take(post, false);
  counts_.control_characters += removed;
  return std::nullopt;
}

void PostTrial::take(const load::SourcePost& post, bool inside) {
  if (full_ || !people_.has_room() || !has_room()) {
    full_ = true;
    counts_.stored += inside ? 0 : 1;
    return;
  }
  const load::Slot self = ids_.slot_of(post.id);
  const auto named = load::linked_post(post);
  const load::Slot target = named ? ids_.slot_of(*named) : self;
  // Who wrote a post that came before becomes a user all the same.
  std::uint64_t author = kGiven << 32;
  if (inside || author_ == load::Author::kFromSource) {
    author = post.author_id ? people_.slot_of(*post.author_id)
                            : kByName << 32 | people_.named(post.username);
  }
  item_of_.resize(ids_.size(), 0);
  if (item_of_[self] != 0) {
    counts_.duplicates += inside ? 0 : 1;
    return;
  }
  items_.push_back({.self = self,
                    .target = target,
                    .author = author,
                    .repost = post.repost_of.has_value(),
                    .has_text = !post.text.empty() || !post.media.empty(),
                    .inside = inside,
                    .privacy = post.privacy,
                    .created_at = post.created_at});
  item_of_[self] = static_cast<std::uint32_t>(items_.size());
}

load::Slot PostTrial::named(SourceId id) {
  const load::Slot slot = ids_.slot_of(id);
  item_of_.resize(ids_.size(), 0);
  return slot;
}

bool PostTrial::holds(load::Slot slot) const { return is_something(kinds_[slot]); }

void PostTrial::finish() {
  const auto snapshot = existing_.snapshot();
  find_there(snapshot.get());
  counts_.users_added = people_.finish(snapshot.get());
  settle(snapshot.get());
  for (const Item& item : items_) count(item);
}

UserNumber PostTrial::author_of(const Item& item) const {
  const auto place = static_cast<std::uint32_t>(item.author);
  if (item.author >> 32 == kById) return people_.number(place);
  return item.author >> 32 == kByName ? people_.number_named(place) : given_;
}

// Whether its author has repeated the same before, in the input or in the data directory.
bool PostTrial::repeats_already(const Item& item, const Snapshot* snapshot) {
  const load::Slot original = originals_[item.target];
  if (!reposted_.emplace(item.author, original).second) return true;
  const auto there = posts_there_.find(original);
  if (there == posts_there_.end()) return false;
  const UserNumber author = author_of(item);
  if (author == kNobody) return false;
  return snapshot->find(tables::RepostsOf::Key{there->second, author}).has_value();
}

void PostTrial::find_there(const Snapshot* snapshot) {
  kinds_.assign(ids_.size(), Kind::kUnseen);
  there_.assign(ids_.size(), false);
  originals_.resize(ids_.size());
  for (load::Slot slot = 0; slot < ids_.size(); ++slot) originals_[slot] = slot;
  roots_ = originals_;
  if (snapshot == nullptr) return;
  each_batch(ids_, [&](const std::vector<SourceId>& ids, load::Slot first) {
    const auto contents = reads::contents_of(*snapshot, existing_.keys_of(ids));
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (!contents[i]) continue;
      const load::Slot slot = first + static_cast<load::Slot>(i);
      there_[slot] = true;
      posts_there_[slot] = contents[i]->post;
      kinds_[slot] = contents[i]->comment == kNoComment ? Kind::kPlain : Kind::kComment;
    }
  });
}

void PostTrial::put_kind(const Item& item, const Snapshot* snapshot) {
  kinds_[item.self] = kind_of(item, snapshot);
  if (item.repost && kinds_[item.self] == Kind::kPlain && is_something(kinds_[item.target])) {
    const auto original = above(item, snapshot);
    if (original) {
      items_[item_of_[item.self] - 1].privacy =
          load::privacy_of_repost(item.privacy, original->privacy, original->same_author);
    }
  }
  if (kinds_[item.self] == Kind::kRepost && repeats_already(item, snapshot)) {
    kinds_[item.self] = Kind::kAgain;
  }
  if (kinds_[item.self] == Kind::kRepost) originals_[item.self] = originals_[item.target];
  if (kinds_[item.self] == Kind::kComment) roots_[item.self] = roots_[item.target];
}

// Settles what the items are in the order in which a load stores them: an item waits for the one
// that it names. If that one never comes, the item goes without it; of a circle the oldest does.
void PostTrial::settle(const Snapshot* snapshot) {
  std::vector<const Item*> waiting;
  std::vector<const Item*> ready;
  std::vector<const Item*> lost;
  for (const Item& item : items_) {
    if (item.target == item.self && !there_[item.self]) put_kind(item, snapshot);
  }
  for (const Item& item : items_) {
    if (item.target == item.self || there_[item.self]) continue;
    const bool may_come = kinds_[item.target] == Kind::kUnseen && item_of_[item.target] != 0;
    (may_come ? waiting : holds(item.target) ? ready : lost).push_back(&item);
  }
  std::vector<const Item*> oldest = waiting;
  std::ranges::sort(oldest, {}, [this](const Item* item) {
    return std::pair(item->created_at, ids_.id(item->self));
  });
  std::ranges::stable_sort(waiting, {}, &Item::target);
  const auto is_open = [this](const Item* item) { return kinds_[item->self] == Kind::kUnseen; };
  for (auto next = oldest.begin();;) {
    std::vector<const Item*> now = std::exchange(ready.empty() ? lost : ready, {});
    if (now.empty()) {
      next = std::find_if(next, oldest.end(), is_open);
      if (next == oldest.end()) return;
      now.push_back(*next);
    }
    // A load stores these posts together, oldest first.
    std::vector<const Item*> by_time = now;
    std::ranges::stable_sort(by_time, {}, &Item::created_at);
    for (const Item* const item : by_time) put_kind(*item, snapshot);
    for (const Item* const item : now) {
      auto other = std::ranges::lower_bound(waiting, item->self, {}, &Item::target);
      for (; other != waiting.end() && (*other)->target == item->self; ++other) {
        if (is_open(*other)) (holds(item->self) ? ready : lost).push_back(*other);
      }
    }
  }
}

// Whether the item stays a post of its own, as the load has it: what was not for everybody may only
// hang on a post of the same author that is for no more, and is neither a repost nor reposted.
bool PostTrial::is_kept_apart(const Item& item, const Snapshot* snapshot) const {
  const bool open = item.privacy == Privacy::kPublic;
  if (item.repost && !open) return true;
  const auto other = above(item, snapshot);
  if (item.repost) return other && other->privacy != Privacy::kPublic;
  if (open && (!other || other->privacy != Privacy::kPrivate)) return false;
  return !other || !other->same_author || other->privacy < item.privacy;
}

std::optional<PostTrial::Above> PostTrial::above(const Item& item, const Snapshot* snapshot) const {
  const load::Slot root = roots_[item.repost ? originals_[item.target] : item.target];
  if (const auto there = posts_there_.find(root); there != posts_there_.end()) {
    const auto post = snapshot->post(there->second);
    if (!post) return std::nullopt;
    return Above{post->privacy, post->author == author_of(item)};
  }
  const Item& other = items_[item_of_[root] - 1];
  return Above{other.privacy, other.author == item.author};
}

PostTrial::Kind PostTrial::kind_of(const Item& item, const Snapshot* snapshot) const {
  const Kind other = kinds_[item.target];
  if (is_something(other) && !is_kept_apart(item, snapshot)) {
    if (!item.repost) return Kind::kComment;
    if (other != Kind::kComment) return Kind::kRepost;
  }
  return item.has_text ? Kind::kPlain : Kind::kNothing;
}

void PostTrial::count(const Item& item) {
  const Kind kind = kinds_[item.self];
  if (there_[item.self] || kind == Kind::kAgain) {
    counts_.duplicates += item.inside ? 0 : 1;
  } else if (kind == Kind::kNothing) {
    counts_.unknown_originals += item.inside ? 0 : 1;
  } else {
    ++counts_.stored;
    counts_.originals += item.inside ? 1u : 0u;
    counts_.reposts += kind == Kind::kRepost ? 1u : 0u;
    counts_.comments += kind == Kind::kComment ? 1u : 0u;
  }
}

std::optional<std::string> EventTrial::add(std::span<const load::SourceEvent> events, Time now) {
  for (const load::SourceEvent& event : events) {
    if (!event.time) continue;
    if (auto problem = load::time_problem(*event.time, now)) return problem;
  }
  for (const load::SourceEvent& event : events) {
    if (event.actor == event.other) {
      counts_.self_loops += event.count;
    } else if (full_ || !people_.has_room() || gathered_.size() >= kTrialRows) {
      full_ = true;
      counts_.stored += event.count;
    } else {
      gathered_.push_back({.actor = people_.slot_of(event.actor),
                           .other = people_.slot_of(event.other),
                           .kind = event.kind,
                           .count = event.count});
    }
  }
  return std::nullopt;
}

void EventTrial::finish() {
  (void)people_.finish(existing_.snapshot().get());
  for (const auto& [actor, other, kind, count] : gathered_) {
    if (people_.number(actor) == kNobody || people_.number(other) == kNobody) {
      counts_.unknown_users += count;
      continue;
    }
    counts_.stored += count;
    counts_.reposts += kind == load::EventKind::kRepost ? count : 0;
    counts_.comments += kind == load::EventKind::kReply ? count : 0;
    counts_.reactions += kind == load::EventKind::kLike ? count : 0;
  }
}

}  // namespace chirp::cli
