#include "core/hot/library.h"

#include <new>
#include <utility>

namespace chirp::hot {
namespace {

constexpr std::size_t kCountsOfHolders = 16;  // in the same block as what is held

std::size_t bytes_of(const PostRecord& record) {
  const Post& post = *record.post;
  std::size_t bytes = allocated(sizeof record + kCountsOfHolders) +
                      allocated(sizeof post + kCountsOfHolders) + outside(post.text) +
                      allocated(post.media.capacity() * sizeof(Medium)) + outside(record.printed);
  for (const Medium& medium : post.media) {
    bytes += outside(medium.address) + outside(medium.alt_text);
  }
  return bytes;
}

std::size_t bytes_of(const CardRecord& record) {
  return allocated(sizeof record + kCountsOfHolders) + outside(record.card.username) +
         outside(record.card.display_name) + outside(record.printed);
}

template <class Hold>
bool is_nobodys(const Hold& record) {
  return record.use_count() == 1;
}

// What is there of the same, or else this, once `finish` has made it whole. Who brings a record may
// bring it twice, and by then pages may show what is printed of it.
template <class Table, class Key, class Hold, class Finish>
Hold kept(Table& table, Key key, Hold record, Finish finish) {
  if (const Hold* known = table.find(key)) return *known;
  finish(*record);
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

CardHold Library::card(UserNumber user) {
  const std::lock_guard lock(mutex_);
  return held(tables_.cards, user);
}

PostHold Library::keep(PostHold record) {
  const std::lock_guard lock(mutex_);
  const PostId id = record->post->id;
  return kept(tables_.posts, id, std::move(record), [this](PostRecord& one) {
    if (printer_ != nullptr && one.printed.empty()) one.printed = printer_->post(*one.post);
  });
}

CardHold Library::keep(CardHold record) {
  const std::lock_guard lock(mutex_);
  return keep_card(std::move(record));
}

CardHold Library::keep_card(CardHold record) {
  const UserNumber user = record->card.number;
  return kept(tables_.cards, user, std::move(record), [this](CardRecord& one) {
    if (printer_ != nullptr && one.printed.empty()) one.printed = printer_->card(one.card);
  });
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
  tables_.cards.erase(card.number);
  ++edits_;
  (void)keep_card(std::make_shared<CardRecord>(CardRecord{std::move(card)}));
}

Library::Tables Library::take_all() {
  const std::lock_guard lock(mutex_);
  left_.clear();
  return std::exchange(tables_, {});
}

void Library::leave(PostHold record) noexcept {
  constexpr long kTableAndThis = 2;
  if (!record) return;
  const std::lock_guard lock(mutex_);
  if (!record->left && record.use_count() == kTableAndThis) {
    try {
      left_.push_back(record->post->id);
      record->left = true;
    } catch (const std::bad_alloc&) {
      record->left = false;  // the hand will find it
    }
  }
  record.reset();  // under the lock: of two that leave at once, one is the last
}

bool Library::forget_left(std::size_t records) {
  const std::lock_guard lock(mutex_);
  if (left_.empty()) return false;
  for (std::size_t i = 0; i < records && !left_.empty(); ++i) {
    const PostId id = left_.front();
    left_.pop_front();
    const PostHold* const known = tables_.posts.find(id);
    if (known == nullptr || !(*known)->left) continue;
    (*known)->left = false;
    if (is_nobodys(*known)) tables_.posts.erase(id);
  }
  return true;
}

void Library::sweep(std::size_t records) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < records; ++i) {
    tables_.posts.step(is_nobodys<PostHold>);
    tables_.cards.step(is_nobodys<CardHold>);
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
