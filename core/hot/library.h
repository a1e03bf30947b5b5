// The posts and cards that readers' windows hold in common: one record each, however many windows
// show it.
//
// A post never changes once it is made, but for what is counted of it and that it goes: its record
// says so, and windows that still hold it look. A card gives way to another one: then windows look
// for all their cards again. What a window holds does not go for want of room, so whatever is said
// here of a post or a card reaches all who show it.
//
// What is printed of either (core/feed/printer.h) stands with it, made as it comes into the
// library.
//
// Records are looked up by any thread, and are changed only while nobody reads any window
// (hot_set.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "core/feed/printer.h"
#include "core/hot/clock_table.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/shared.h"
#include "core/model/user.h"

namespace chirp::hot {

struct PostRecord {
  Shared<Post> post;
  bool gone = false;
  ContentCounters counters{};  // of one that stands on pages: not of a repost
  std::string printed{};
  bool left = false;  // by the last window that showed it; the library's alone
};
using PostHold = std::shared_ptr<PostRecord>;

struct CardRecord {
  AuthorCard card;
  std::string printed{};
};
using CardHold = std::shared_ptr<CardRecord>;

class Library {
 public:
  // The printer must outlive it; null: nothing is printed ahead.
  explicit Library(const feed::PostSerializer* printer) : printer_(printer) {}

  struct Tables {
    ClockTable<PostId, PostHold> posts;
    ClockTable<UserNumber, CardHold> cards;
  };

  // Null for what is not there.
  [[nodiscard]] PostHold post(PostId id);
  [[nodiscard]] CardHold card(UserNumber user);
  // What is there of the same already, or this from now on.
  [[nodiscard]] PostHold keep(PostHold record);
  [[nodiscard]] CardHold keep(CardHold record);

  // ---- while nobody reads
  void count(PostId id, const ContentCounters& change);
  void remove(PostId id);
  [[nodiscard]] bool has(UserNumber user);
  void replace(AuthorCard card);
  // Leaves nothing, and hands out what there was.
  [[nodiscard]] Tables take_all();

  // How often a card has been replaced: windows look for their cards again when it moves.
  [[nodiscard]] std::uint64_t edits() const { return edits_; }

  // A window does not show the post any more. It stays while there is room: others who come later
  // may need it. Whoever drops a post otherwise leaves it to `sweep`.
  void leave(PostHold record) noexcept;
  // Forgets of the posts that no window shows those that were left first, `records` at most. False
  // if none was left.
  bool forget_left(std::size_t records);
  // Moves the hands so far that `records` of each kind have been looked at.
  void sweep(std::size_t records);
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t records() const;

 private:
  [[nodiscard]] CardHold keep_card(CardHold record);

  const feed::PostSerializer* printer_;
  mutable std::mutex mutex_;
  Tables tables_;
  std::deque<PostId> left_;  // in the order in which they were; some are gone or shown again
  std::uint64_t edits_ = 0;
};

}  // namespace chirp::hot
