#include "core/hot/window.h"

#include <algorithm>
#include <utility>

#include "core/feed/page.h"
#include "core/feed/rules.h"
#include "core/model/timeline.h"
#include "core/ports/reads.h"

namespace chirp::hot {
namespace {

constexpr std::size_t kFetchMin = 8;
constexpr std::size_t kPlacesMax = 400;  // of a window: who scrolls further reads the store

template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  return allocated(list.capacity() * sizeof(T));
}

bool is_newer(const Place& place, PostId id) { return place.entry.id > id; }

PostHold record_of(Shared<Post> post) {
  return post ? std::make_shared<PostRecord>(PostRecord{std::move(post)}) : nullptr;
}
CardHold record_of(const Shared<AuthorCard>& card) {
  return card ? std::make_shared<CardRecord>(CardRecord{*card}) : nullptr;
}

// The records themselves, held by whoever shows them, so that what is printed stays with them.
Shared<Post> post_of(const PostHold& record) { return {record, record->post.get()}; }
Shared<AuthorCard> card_of(const CardHold& record) { return {record, &record->card}; }

feed::Shown shown_of(const Place& place, From from) {
  feed::Shown shown;
  shown.entry = place.entry;
  shown.source = place.source;
  shown.reached = from == From::kMemory ? 0 : place.reached;
  shown.post = post_of(place.post);
  shown.author = card_of(place.author);
  if (place.original) {
    shown.original = post_of(place.original);
    shown.original_author = card_of(place.original_author);
  }
  shown.printed = {place.subject()->printed, place.subject_author()->printed};
  return shown;
}

}  // namespace

// ---------------------------------------------------------------- made of what the store has

Window::Window(const Snapshot& snapshot, UserNumber reader, std::optional<feed::Policy> as_if,
               std::size_t wanted, Time now)
    : reader_(reader), bonds_(snapshot, snapshot.state(), reader) {
  feed::FeedRead read(snapshot, reader);
  FeedSources& sources = read.sources;
  const feed::FeedWalk::Timeline use = feed::use_of_timeline(sources, as_if);
  position_ = sources.state.log_end;
  all_pulled_ = use == feed::FeedWalk::Timeline::kIgnore;
  push_from_all_ = sources.state.push_from_all;
  generation_ = sources.state.generation;
  day_ = start_of_day(now);
  upkeep_ = feed::upkeep_of(sources, now);
  lacks_timeline_ = upkeep_ == feed::Upkeep::kBuild && as_if != feed::Policy::kPull;
  warm_ = use == feed::FeedWalk::Timeline::kUse;
  fill(read, use, wanted);
  following_ = std::move(sources.following);
  add_stats(snapshot);
}

Window::~Window() { drop(places_.begin()); }

void Window::fill(feed::FeedRead& read, feed::FeedWalk::Timeline use, std::size_t wanted) {
  wanted = std::min(wanted, kPlacesMax);
  room_ = 2 * wanted;
  places_.reserve(wanted + wanted / 2);
  const feed::WalkPlan plan{{}, Direction::kDown, static_cast<std::uint32_t>(wanted)};
  feed::FeedWalk walk(read.snapshot, read.sources, reader_, use, plan);
  feed::ShownEntries entries(read, walk);
  std::vector<feed::Shown> batch;
  while (places_.size() < wanted) {
    const auto fetch = std::max(wanted - places_.size(), kFetchMin);
    if (!entries.next(static_cast<std::uint32_t>(fetch), batch)) {
      floor_ = kBelowAllPosts;
      sources_ = entries.sources();
      return;
    }
    for (feed::Shown& shown : batch) place(shown, read.sources.state.log_end);
    floor_ = entries.reached();
  }
}

void Window::place(feed::Shown& shown, Sequence log_end) {
  Place& place = places_.emplace_back();
  place.entry = shown.entry;
  place.source = shown.source;
  place.reached = static_cast<std::uint32_t>(shown.reached);
  place.pending_to = log_end;
  place.post = record_of(std::move(shown.post));
  place.author = record_of(shown.author);
  place.original = record_of(std::move(shown.original));
  place.original_author = record_of(shown.original_author);
}

void Window::add_stats(const Snapshot& snapshot) {
  std::vector<PostId> subjects;
  subjects.reserve(places_.size());
  for (const Place& place : places_) subjects.push_back(place.subject()->post->id);
  const auto stats = feed::stats_of(snapshot, Viewer::user(reader_), subjects);
  for (std::size_t i = 0; i < stats.size(); ++i) {
    places_[i].subject()->counters = stats[i].counters;
    places_[i].deeds = {stats[i].reaction, stats[i].reposted};
  }
}

// ---------------------------------------------------------------- pages

std::size_t Window::wanted_for(const feed::PageRequest& request) const {
  if (request.after || (request.before && *request.before < floor_)) return 0;
  const std::size_t wanted = 2 * places_.size() + request.limit + 1;
  return wanted <= kPlacesMax ? wanted : 0;
}

bool Window::explains(const StoreState& state) const {
  return !lacks_timeline_ && push_from_all_ == state.push_from_all &&
         generation_ == state.generation;
}

std::optional<feed::Page> Window::page(const feed::PageRequest& request, From from,
                                       Sequence taken_in) const {
  const bool up = request.after.has_value();
  feed::Folding folding(reader_, up ? Direction::kUp : Direction::kDown, request.limit);
  bool outdated = false;  // a source
  // False if the page is full.
  const auto fold = [&](const Place& place) {
    if (place.gone()) return true;
    outdated |= place.source == feed::Source::kPending && taken_in >= place.pending_to;
    feed::FeedItem* const item = folding.add(shown_of(place, from));
    if (item != nullptr) {
      const Deeds& deeds = place.deeds;
      item->stats = {place.subject()->counters, true, deeds.reaction, deeds.reposted};
    }
    return item != nullptr;
  };
  const auto end_of_walk = [&] { folding.end(from == From::kMemory ? 0 : sources_); };
  if (up) {
    if (floor_.value > request.after->value + 1) return std::nullopt;
    // The nearest above comes first.
    auto at = std::ranges::partition_point(
        places_, [&](const Place& place) { return is_newer(place, *request.after); });
    while (at != places_.begin() && fold(*--at)) continue;
    if (!folding.more()) end_of_walk();
    if (outdated && request.explain == feed::Explain::kYes) return std::nullopt;
    return feed::page_of(std::move(folding), request);
  }
  const PostId below = request.before.value_or(kAboveAllPosts);
  auto at = std::ranges::partition_point(
      places_, [&](const Place& place) { return place.entry.id >= below; });
  while (at != places_.end() && fold(*at)) ++at;
  if (!folding.more()) {
    if (floor_ != kBelowAllPosts) return std::nullopt;
    end_of_walk();
  }
  if (outdated && request.explain == feed::Explain::kYes) return std::nullopt;
  return feed::page_of(std::move(folding), request);
}

feed::Upkeep Window::upkeep(Time now) {
  feed::Upkeep left = std::exchange(upkeep_, feed::Upkeep::kNone);
  const Time today = start_of_day(now);
  if (left == feed::Upkeep::kNone && today > day_) left = feed::Upkeep::kNoteRead;
  day_ = std::max(day_, today);
  return left;
}

// ---------------------------------------------------------------- what comes later

Window::Taken Window::take_in(const Arrivals& arrivals, Sequence end, Library& library,
                              const Brought& brought, Lacking& lacking) {
  if (edits_ != library.edits() && !renew_cards(library)) return Taken::kUseless;
  if (position_ >= end) return Taken::kAll;
  if (const auto loaded = arrivals.loaded_since(position_); loaded && *loaded >= floor_) {
    return Taken::kUseless;
  }
  std::vector<Arrival> concerned = arrivals.since(position_, following_, reader_);
  if (!concerned.empty() && !bonds_.complete()) return Taken::kUseless;
  PostId floor = floor_;
  if (concerned.size() > room_) {
    // Live ids ascend with the log, so it is the newest that stay.
    concerned.erase(concerned.begin(), concerned.end() - static_cast<std::ptrdiff_t>(room_));
    floor = concerned.front().post;
  }
  std::vector<Place> fresh;
  for (const Arrival& arrival : concerned) enter(arrival, library, brought, fresh, lacking);
  if (lacking.any()) return Taken::kLacking;
  raise_floor(floor);
  for (Place& place : fresh) {
    const auto at = std::ranges::partition_point(
        places_, [&](const Place& other) { return is_newer(other, place.entry.id); });
    places_.insert(at, std::move(place));
  }
  position_ = end;
  if (places_.size() > room_) cut();
  return Taken::kAll;
}

void Window::enter(const Arrival& arrival, Library& library, const Brought& brought,
                   std::vector<Place>& fresh, Lacking& lacking) const {
  if (arrival.privacy == Privacy::kPrivate && arrival.author != reader_) return;
  const auto is_absent = [&](PostId id) {
    return std::ranges::find(brought.absent, id) != brought.absent.end();
  };
  // False if one of both has to be brought.
  const auto find = [&](PostId post, UserNumber author, PostHold& record, CardHold& card) {
    record = library.post(post);
    card = library.card(author);
    if (!record) lacking.posts.push_back(post);
    if (!card) lacking.cards.push_back(author);
    return record && card;
  };
  Place place;
  place.entry = {arrival.post, arrival.author, Origin::kPushed};
  place.source = all_pulled_ ? feed::Source::kPulled : feed::Source::kPending;
  place.pending_to = {arrival.sequence.value + 1};
  if (is_absent(arrival.post)) return;
  if (!find(arrival.post, arrival.author, place.post, place.author)) return;
  const Post& post = *place.post->post;
  if (post.is_repost()) {
    if (is_absent(post.original)) return;
    const bool found =
        find(post.original, post.original_author, place.original, place.original_author);
    if (!found) return;
  }
  if (!shows(place)) return;
  // What the reader does with a new post comes later than the post; of an original it has to be
  // known.
  if (place.original) {
    const auto known = std::ranges::find(places_, place.original, &Place::subject);
    const auto new_one = std::ranges::find(fresh, place.original, &Place::subject);
    const auto told = brought.deeds.find(post.original);
    if (known != places_.end()) {
      place.deeds = known->deeds;
    } else if (new_one != fresh.end()) {
      place.deeds = new_one->deeds;
    } else if (told != brought.deeds.end()) {
      place.deeds = told->second;
    } else {
      lacking.deeds.push_back(post.original);
      return;
    }
  }
  fresh.push_back(std::move(place));
}

// The rules of feeds, asked of what has arrived.
bool Window::shows(const Place& place) const {
  const feed::ViewedAuthor author{card_of(place.author), bonds_.with(place.entry.author)};
  feed::ViewedAuthor original_author;
  feed::HydratedEntry hydrated{place.post->post.get(), &author, nullptr, nullptr};
  if (place.original) {
    original_author = {card_of(place.original_author),
                       bonds_.with(place.original_author->card.number)};
    hydrated.original = place.original->post.get();
    hydrated.original_author = &original_author;
  }
  const feed::Rules rules(reader_, following_);
  return rules.admits(place.entry) && rules.shows(place.entry, hydrated);
}

void Window::raise_floor(PostId floor) {
  if (floor <= floor_) return;
  floor_ = floor;
  drop(std::ranges::partition_point(places_,
                                    [&](const Place& place) { return place.entry.id >= floor; }));
}

// The oldest go, and with them what is known of the feed below the last that stays.
void Window::cut() {
  drop(places_.begin() + static_cast<std::ptrdiff_t>(room_ / 2));
  floor_ = places_.back().entry.id;
}

// All from there to the oldest.
void Window::drop(std::vector<Place>::iterator from) {
  for (auto at = from; library_ != nullptr && at != places_.end(); ++at) {
    library_->leave(std::move(at->post));
    if (at->original) library_->leave(std::move(at->original));
  }
  places_.erase(from, places_.end());
}

bool Window::renew_cards(Library& library) {
  for (Place& place : places_) {
    place.author = library.card(place.entry.author);
    if (!place.author) return false;
    if (!place.original) continue;
    place.original_author = library.card(place.original->post->author);
    if (!place.original_author) return false;
  }
  edits_ = library.edits();
  return true;
}

void Window::share(Library& library) {
  library_ = &library;
  for (Place& place : places_) {
    place.post = library.keep(std::move(place.post));
    place.author = library.keep(std::move(place.author));
    if (!place.original) continue;
    place.original = library.keep(std::move(place.original));
    place.original_author = library.keep(std::move(place.original_author));
  }
  edits_ = library.edits();
}

template <class Change>
bool Window::change_deeds(PostId post, Change change) {
  bool stands = false;
  for (Place& place : places_) {
    if (place.subject()->post->id != post) continue;
    change(place.deeds);
    stands = true;
  }
  return stands;
}

bool Window::react(PostId post, std::optional<ReactionType> reaction) {
  return change_deeds(post, [&](Deeds& deeds) { deeds.reaction = reaction; });
}

bool Window::repost(PostId original, bool stands) {
  return change_deeds(original, [&](Deeds& deeds) { deeds.reposted = stands; });
}

std::size_t Window::bytes() const {
  return allocated(sizeof *this) + bytes_of(places_) + bytes_of(following_) + bonds_.bytes();
}

void Brought::add(const Snapshot& snapshot, UserNumber reader, const Lacking& lacking) {
  std::vector<ContentId> contents;
  contents.reserve(lacking.posts.size());
  for (const PostId id : lacking.posts) contents.push_back(content_of(id));
  auto found = snapshot.posts_at(lacking.posts);
  const auto counters = snapshot.content_counters(contents);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      absent.push_back(lacking.posts[i]);
      continue;
    }
    posts.push_back(
        std::make_shared<PostRecord>(PostRecord{shared(std::move(*found[i])), false, counters[i]}));
  }
  for (auto& card : reads::cards(snapshot, lacking.cards)) {
    if (card) cards.push_back(std::make_shared<CardRecord>(CardRecord{std::move(*card)}));
  }
  const auto own = feed::stats_of(snapshot, Viewer::user(reader), lacking.deeds);
  for (std::size_t i = 0; i < own.size(); ++i) {
    deeds[lacking.deeds[i]] = {own[i].reaction, own[i].reposted};
  }
}

}  // namespace chirp::hot
