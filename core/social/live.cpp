#include "core/social/live.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "core/events/notifications_of.h"
#include "core/feed/page.h"
#include "core/model/deltas.h"
#include "core/ports/reads.h"

namespace chirp::social {
namespace {

using events::Event;
using events::Notification;
using events::Topic;

// Up to this many readers are looked up one by one.
constexpr std::size_t kFewReaders = 8;

constexpr bool is_removal(Topic topic) {
  return topic == Topic::kPostRemoved || topic == Topic::kRepostRemoved;
}

// Finds the message of the event that has the same item and reason, for readers with the same
// reaction and repost.
LiveMessage* find_like(std::vector<LiveMessage>& messages, feed::Reason reason,
                       std::optional<ReactionType> reaction, bool reposted) {
  for (LiveMessage& message : messages) {
    const auto* item = std::get_if<feed::FeedItem>(&message.what);
    if (item != nullptr && item->reason == reason && item->stats.reaction == reaction &&
        item->stats.reposted == reposted) {
      return &message;
    }
  }
  return nullptr;
}

}  // namespace

LiveBatch::LiveBatch(const ContentReader& snapshot, std::span<const Event> events,
                     std::span<const UserNumber> readers)
    : snapshot_(snapshot),
      events_(events),
      readers_(readers),
      has_relations_(snapshot.state().relations != 0) {
  fetch_arrivals();
  fetch_originals();
  fetch_counters();
  fetch_notifications();
}

std::vector<LiveMessage> LiveBatch::messages(std::size_t at) {
  const Event& event = events_[at];
  std::vector<LiveMessage> messages;
  if (const auto found = arrivals_.find(at); found != arrivals_.end()) {
    add_arrival(event, found->second, messages);
  }
  if (is_removal(event.topic)) add_removal(event, messages);
  const auto [begin, end] = notifications_.equal_range(event.sequence);
  for (auto notification = begin; notification != end; ++notification)
    add_notification(notification->second, messages);
  return messages;
}

// ---- fetching

void LiveBatch::fetch_arrivals() {
  std::vector<Entry> entries;
  std::vector<Arrival*> arrivals;
  for (std::size_t at = 0; at < events_.size(); ++at) {
    const Event& event = events_[at];
    if (!makes_entry(event.topic)) continue;
    auto audience = audience_of(event.actor);
    if (audience.empty()) continue;
    Arrival& arrival = arrivals_[at];
    arrival.audience = std::move(audience);
    arrivals.push_back(&arrival);
    entries.push_back({event.post, event.actor});
  }
  auto posts = snapshot_.posts(entries);
  for (std::size_t i = 0; i < posts.size(); ++i) arrivals[i]->post = std::move(posts[i]);
}

void LiveBatch::fetch_originals() {
  std::vector<Entry> wanted;
  std::vector<Arrival*> reposts;
  std::vector<UserNumber> authors;
  for (auto& [at, arrival] : arrivals_) {
    if (!arrival.post) continue;
    authors.push_back(arrival.post->author);
    if (!arrival.post->is_repost()) continue;
    authors.push_back(arrival.post->original_author);
    reposts.push_back(&arrival);
    wanted.push_back({arrival.post->original, arrival.post->original_author});
  }
  auto originals = snapshot_.posts(wanted);
  for (std::size_t i = 0; i < originals.size(); ++i) {
    reposts[i]->original = std::move(originals[i]);
  }
  meet(authors);
}

void LiveBatch::fetch_counters() {
  std::vector<ContentId> contents;
  std::vector<Arrival*> shown;
  for (auto& [at, arrival] : arrivals_) {
    if (!arrival.post || (arrival.post->is_repost() && !arrival.original)) continue;
    contents.push_back(content_of(arrival.original ? arrival.original->id : arrival.post->id));
    shown.push_back(&arrival);
  }
  const auto counters = snapshot_.content_counters(contents);
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i]->counters = counters[i];
}

void LiveBatch::fetch_notifications() {
  // An act repeated within a day makes no notification. So only notifications count that the
  // consumer has stored or will store.
  const Sequence taken_in = snapshot_.state().notifications;
  std::vector<tables::Notifications::Key> keys;
  std::set<UserNumber> told;
  for (const Notification& one : notifications_of(snapshot_, events_)) {
    if (!is_reader(one.user)) continue;
    if (!events::can_be_repeated(one)) {
      notifications_.emplace(one.sequence, one);
    } else if (one.sequence < taken_in) {
      keys.push_back({one.user, one.sequence});
    } else {
      told.insert(one.user);
    }
  }
  for (auto& stored : snapshot_.find_all(keys)) {
    if (stored) notifications_.emplace(stored->sequence, *stored);
  }
  if (told.empty()) return;
  const Sequence first = events_.front().sequence;
  const Sequence end{events_.back().sequence.value + 1};
  for (const Notification& one : pending_notifications(
           snapshot_, end, [&](UserNumber user) { return told.contains(user); })) {
    if (one.sequence >= first && events::can_be_repeated(one))
      notifications_.emplace(one.sequence, one);
  }
}

void LiveBatch::meet(std::span<const UserNumber> users) {
  std::vector<UserNumber> strangers;
  for (const UserNumber user : users) {
    if (cards_.try_emplace(user).second) strangers.push_back(user);
  }
  auto found = reads::cards(snapshot_, strangers);
  for (std::size_t i = 0; i < strangers.size(); ++i) cards_[strangers[i]] = std::move(found[i]);
}

// ---- users

std::vector<UserNumber> LiveBatch::audience_of(UserNumber author) {
  std::vector<UserNumber> audience = followers_among_readers(author);
  const auto place = std::lower_bound(audience.begin(), audience.end(), author);
  if (is_reader(author)) audience.insert(place, author);
  return audience;
}

const std::vector<UserNumber>& LiveBatch::followers_among_readers(UserNumber author) {
  const auto [at, fresh] = followers_.try_emplace(author);
  std::vector<UserNumber>& found = at->second;
  if (!fresh) return found;
  EdgePage page;
  page.more = true;
  if (readers_.size() > kFewReaders) {
    page =
        reads::followers(snapshot_, author, kNobody, static_cast<std::uint32_t>(readers_.size()));
  }
  for (const Edge& edge : page.edges) {
    if (!page.more && is_reader(edge.other)) found.push_back(edge.other);
  }
  if (!page.more) return found;
  // The author has more followers than there are readers, so looking up each reader costs less.
  for (const UserNumber reader : readers_) {
    if (reads::follows(snapshot_, reader, author)) found.push_back(reader);
  }
  return found;
}

bool LiveBatch::is_reader(UserNumber user) const {
  return std::binary_search(readers_.begin(), readers_.end(), user);
}

const AuthorCard* LiveBatch::card(UserNumber user) {
  meet({&user, 1});
  const auto& found = cards_.at(user);
  return found ? &*found : nullptr;
}

bool LiveBatch::is_present(UserNumber user) {
  const AuthorCard* found = card(user);
  return found != nullptr && found->presence == Presence::kPresent;
}

ViewerRelation LiveBatch::bond(UserNumber reader, UserNumber other) {
  if (!has_relations_ || reader == other) return {};
  const std::uint64_t pair = std::uint64_t{reader.value} << 32 | other.value;
  const auto [at, fresh] = bonds_.try_emplace(pair);
  if (fresh) at->second = snapshot_.bonds(reader, {&other, 1}).front();
  return at->second;
}

// ---- messages

void LiveBatch::add_arrival(const Event& event, const Arrival& arrival,
                            std::vector<LiveMessage>& messages) {
  if (!arrival.post || card(event.actor) == nullptr) return;
  const Post& post = *arrival.post;
  feed::ViewedAuthor author{shared(*card(event.actor)), {}};
  feed::ViewedAuthor original_author;
  feed::HydratedEntry hydrated{&post, &author, nullptr, nullptr};
  if (post.is_repost()) {
    if (!arrival.original || card(arrival.original->author) == nullptr) return;
    original_author.card = shared(*card(arrival.original->author));
    hydrated.original = &*arrival.original;
    hydrated.original_author = &original_author;
  }
  const Entry entry{event.post, event.actor};
  const std::array following{event.actor};
  const PostId shown = post.is_repost() ? post.original : post.id;
  const ContentId content = content_of(shown);
  for (const UserNumber reader : arrival.audience) {
    const feed::Rules rules(reader, following);
    author.bond = bond(reader, event.actor);
    if (post.is_repost()) original_author.bond = bond(reader, arrival.original->author);
    if (!is_present(reader) || !rules.admits(entry) || !rules.shows(entry, hydrated)) continue;
    const auto reaction = snapshot_.find(tables::Reactions::Key{content, reader});
    const auto type = reaction ? std::optional(reaction->type) : std::nullopt;
    const bool reposted = arrival.counters.reposts > 0 &&
                          snapshot_.find(tables::RepostsOf::Key{shown, reader}).has_value();
    LiveMessage* message = find_like(messages, rules.reason(post), type, reposted);
    if (message == nullptr) {
      feed::FeedItem item = item_of(arrival);
      item.reason = rules.reason(post);
      item.stats.reaction = type;
      item.stats.reposted = reposted;
      message = &messages.emplace_back(
          LiveMessage{live_id(event.sequence, LivePlace::kEntry), std::move(item), {}});
    }
    message->to.push_back(reader);
  }
}

feed::FeedItem LiveBatch::item_of(const Arrival& arrival) {
  const Post& post = *arrival.post;
  feed::FeedItem item;
  item.post = shared(arrival.original ? *arrival.original : post);
  item.author = shared(*card(item.post->author));
  item.entry = post.id;
  if (post.is_repost())
    item.reposted_by.push_back({post.id, shared(*card(post.author)), post.created_at});
  item.source = feed::Source::kPending;
  item.stats = {arrival.counters, true, std::nullopt, false};
  return item;
}

void LiveBatch::add_removal(const Event& event, std::vector<LiveMessage>& messages) {
  LiveMessage message{live_id(event.sequence, LivePlace::kEntry), LiveRemoval{event.post}, {}};
  // If the post was public, it concerns every reader.
  const bool was_public = event.privacy == Privacy::kPublic;
  const std::vector<UserNumber> near =
      was_public ? std::vector<UserNumber>{} : audience_of(event.actor);
  for (const UserNumber reader : was_public ? readers_ : std::span<const UserNumber>(near)) {
    const AuthorAccess standing{!was_public, bond(reader, event.actor).severed()};
    if (!sees(Viewer::user(reader), event.actor, event.privacy, standing)) continue;
    if (is_present(reader)) message.to.push_back(reader);
  }
  messages.push_back(std::move(message));
}

void LiveBatch::add_notification(const Notification& notification,
                                 std::vector<LiveMessage>& messages) {
  if (!is_present(notification.user)) return;
  NotificationFilter& filter =
      filters_.try_emplace(notification.user, snapshot_, notification.user).first->second;
  if (auto view = filter.view(notification)) {
    messages.push_back({live_id(notification.sequence, LivePlace::kNotification),
                        std::move(*view),
                        {notification.user}});
  }
}

// ---- counters

std::optional<CountedPost> counted_post(const Event& event) {
  std::vector<ContentDelta> deltas;
  append_content_deltas(event, deltas);
  const bool repost = makes_entry(event.topic) || is_removal(event.topic);
  const PostId post = repost ? event.original : event.post;
  for (const ContentDelta& delta : deltas) {
    if (delta.content == content_of(post)) return CountedPost{post, event.other};
  }
  return std::nullopt;
}

LiveCounts::LiveCounts(const ContentReader& snapshot, std::span<const PostId> posts)
    : snapshot_(snapshot) {
  std::vector<ContentId> contents;
  contents.reserve(posts.size());
  for (const PostId post : posts) contents.push_back(content_of(post));
  const auto counters = snapshot.content_counters(contents);
  for (std::size_t i = 0; i < posts.size(); ++i) counters_.emplace(posts[i], counters[i]);
}

std::vector<PostCount> LiveCounts::seen_by(UserNumber reader, std::span<const PostId> posts) {
  std::vector<PostCount> counts;
  Visibility visibility(snapshot_, Viewer::user(reader));
  if (visibility.card(reader) == nullptr) return counts;
  for (const auto& seen : visibility.posts(posts)) {
    if (!seen) continue;
    const UserNumber author = seen->post.author;
    if (snapshot_.bonds(reader, {&author, 1}).front().mutes) continue;
    const auto counters = counters_.find(seen->post.id);
    if (counters == counters_.end()) continue;
    counts.push_back({seen->post.id, {counters->second, false, std::nullopt, false}});
  }
  return counts;
}

}  // namespace chirp::social
