#include "core/hot/library.h"

#include <utility>

namespace chirp::hot {
namespace {

// What a text takes beside its object.
std::size_t outside(const std::string& text) {
  constexpr std::size_t kInside = 15;
  return text.capacity() > kInside ? allocated(text.capacity() + 1) : 0;
}

constexpr std::size_t kCountsOfHolders = 16;  // in the same block as what is held

std::size_t bytes_of(const PostRecord& record) {
  const Post& post = *record.post;
  std::size_t bytes = allocated(sizeof record + kCountsOfHolders) +
                      allocated(sizeof post + kCountsOfHolders) + outside(post.text) +
                      allocated(post.media.capacity() * sizeof(Medium));
  for (const Medium& medium : post.media) bytes += outside(medium.address);
  return bytes;
}

std::size_t bytes_of(const AuthorCard& card) {
  return allocated(sizeof card + kCountsOfHolders) + outside(card.username) +
         outside(card.display_name);
}

template <class Hold>
bool is_nobodys(const Hold& record) {
  return record.use_count() == 1;
}

template <class Table, class Key, class Hold>
Hold kept(Table& table, Key key, Hold record) {
  if (const Hold* known = table.find(key)) return *known;
  const std::size_t bytes = bytes_of(*record);
  return table.put(key, std::move(record), bytes);
}

template <class Table, class Key>
auto held(Table& table, Key key) {
  const auto* known = table.find(key);
  return known != nullptr ? *known : std::remove_cvref_t<decltype(*known)>();
}

}  // namespace

PostHold Library::post(PostId id) {
  const std::lock_guard lock(mutex_);
  return held(tables_.posts, id);
}

Shared<AuthorCard> Library::card(UserNumber user) {
  const std::lock_guard lock(mutex_);
  return held(tables_.cards, user);
}

PostHold Library::keep(PostHold record) {
  const std::lock_guard lock(mutex_);
  const PostId id = record->post->id;
  return kept(tables_.posts, id, std::move(record));
}

Shared<AuthorCard> Library::keep(Shared<AuthorCard> card) {
  const std::lock_guard lock(mutex_);
  const UserNumber user = card->number;
  return kept(tables_.cards, user, std::move(card));
}

void Library::count(PostId id, const ContentCounters& change) {
  const std::lock_guard lock(mutex_);
  if (const PostHold* known = tables_.posts.find(id)) (*known)->counters += change;
}

void Library::remove(PostId id) {
  const std::lock_guard lock(mutex_);
  if (const PostHold* known = tables_.posts.find(id)) (*known)->gone = true;
  tables_.posts.erase(id);
}

bool Library::has(UserNumber user) {
  const std::lock_guard lock(mutex_);
  return tables_.cards.find(user) != nullptr;
}

void Library::replace(AuthorCard card) {
  const std::lock_guard lock(mutex_);
  const UserNumber user = card.number;
  tables_.cards.erase(user);
  ++edits_;
  (void)kept(tables_.cards, user, shared(std::move(card)));
}

Library::Tables Library::take_all() {
  const std::lock_guard lock(mutex_);
  return std::exchange(tables_, {});
}

void Library::sweep(std::size_t records) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < records; ++i) {
    tables_.posts.step(is_nobodys<PostHold>);
    tables_.cards.step(is_nobodys<Shared<AuthorCard>>);
  }
}

std::size_t Library::bytes() const {
  const std::lock_guard lock(mutex_);
  return tables_.posts.bytes() + tables_.cards.bytes();
}

std::size_t Library::records() const {
  const std::lock_guard lock(mutex_);
  return tables_.posts.size() + tables_.cards.size();
}

}  // namespace chirp::hot
