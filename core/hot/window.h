// The newest part of one reader's feed, without holes: every entry that is shown from its floor up.
//
// It is what a walk of the store has found, whatever was pushed and whatever was pulled, so no mark
// and no policy has a say in it. Later entries join it by the log; what has been removed since says
// so in its record (library.h); and whatever else could change it (a follow, a block, a mute) lets
// the window go. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/feed/folding.h"
#include "core/feed/merge.h"
#include "core/feed/page.h"
#include "core/feed/shown.h"
#include "core/hot/arrivals.h"
#include "core/hot/bonds.h"
#include "core/hot/library.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/ports/snapshot.h"
#include "core/ports/store_state.h"

namespace chirp::hot {

// What a reader did with a post.
struct Deeds {
  std::optional<ReactionType> reaction{};
  bool reposted = false;
};

// What a window needs to know of its arrivals and does not find. It finds their posts in the
// library if somebody has brought them there. Who finds some lacking brings them from a snapshot,
// without any lock, and asks again.
struct Lacking {
  std::vector<PostId> posts;
  std::vector<UserNumber> cards;
  std::vector<PostId> deeds;  // the reader's, with what is reposted

  [[nodiscard]] bool any() const { return !(posts.empty() && cards.empty() && deeds.empty()); }
};

// The same as a snapshot has it.
struct Brought {
  std::vector<PostHold> posts;
  std::vector<CardHold> cards;
  std::vector<PostId> absent;  // posts that are not there
  std::map<PostId, Deeds> deeds;

  [[nodiscard]] bool empty() const {
    return posts.empty() && cards.empty() && absent.empty() && deeds.empty();
  }
  // Adds what is lacking to one reader's window.
  void add(const Snapshot& snapshot, UserNumber reader, const Lacking& lacking);
};

struct Place {
  Entry entry;
  feed::Source source = feed::Source::kPulled;
  Deeds deeds;                // the reader's, with what stands there
  std::uint32_t reached = 0;  // see feed::Shown
  Sequence pending_to;        // pending until fan-out is there
  PostHold post;
  CardHold author;
  PostHold original;  // of a repost, like the next
  CardHold original_author;

  // What stands on the page.
  [[nodiscard]] const PostHold& subject() const { return original ? original : post; }
  [[nodiscard]] const CardHold& subject_author() const {
    return original ? original_author : author;
  }
  [[nodiscard]] bool gone() const { return post->gone || (original && original->gone); }
};

// Whether a page was read from the store, or is what was held of it.
enum class From : std::uint8_t { kStore, kMemory };

class Window {
 public:
  // The newest `wanted` entries of the reader's feed, or all of them if there are no more, with
  // records of its own. `as_if` as in a page's request.
  Window(const Snapshot& snapshot, UserNumber reader, std::optional<feed::Policy> as_if,
         std::size_t wanted, Time now);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // The page, if the window reaches so far: items, cursors and cost. `taken_in` is fan-out's
  // offset: whether what was pending until there has been pushed, only the store can tell, since
  // marks have no event. So a page that has to say it is none of the window's.
  [[nodiscard]] std::optional<feed::Page> page(const feed::PageRequest& request, From from,
                                               Sequence taken_in) const;
  // Whether it still tells where entries come from as the store tells it now. It does not once a
  // timeline may have been built that there was none of, nor after a load, nor after a switch of
  // what is pushed at all.
  [[nodiscard]] bool explains(const StoreState& state) const;
  // How many entries would make a window that reaches further; 0 if none does, since the page
  // begins far from the top.
  [[nodiscard]] std::size_t wanted_for(const feed::PageRequest& request) const;

  // What came of taking in.
  enum class Taken : std::uint8_t {
    kAll,
    kLacking,  // nothing is taken in: something has to be brought first
    kUseless,  // the window can't go on
  };
  // Takes in what arrived from its position on, as far as it is shown.
  Taken take_in(const Arrivals& arrivals, Sequence end, Library& library, const Brought& brought,
                Lacking& lacking);
  // Exchanges its records for those that the library has of the same, and tells it from then on
  // what is shown no more. The library must outlive the window.
  void share(Library& library);
  // The reader has reacted, or does not any more. False if the post does not stand here: it may be
  // one that has arrived and was not taken in yet.
  bool react(PostId post, std::optional<ReactionType> reaction);
  // The same of the reader's repost of it.
  bool repost(PostId original, bool stands);

  [[nodiscard]] Sequence position() const { return position_; }
  // What reading it leaves to be done, said once.
  [[nodiscard]] feed::Upkeep upkeep(Time now);
  [[nodiscard]] bool warm() const { return warm_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void fill(feed::FeedRead& read, feed::FeedWalk::Timeline use, std::size_t wanted);
  void place(feed::Shown& shown, Sequence log_end);
  void add_stats(const Snapshot& snapshot);
  // Puts the arrival's place among `fresh` if it is shown, or says what is lacking to tell.
  void enter(const Arrival& arrival, Library& library, const Brought& brought,
             std::vector<Place>& fresh, Lacking& lacking) const;
  [[nodiscard]] bool shows(const Place& place) const;
  // Calls `change` with what the reader did with the post, at each place where it stands; false if
  // there is none.
  template <class Change>
  bool change_deeds(PostId post, Change change);
  bool renew_cards(Library& library);
  void cut();
  void raise_floor(PostId floor);
  void drop(std::vector<Place>::iterator from);

  UserNumber reader_;
  Library* library_ = nullptr;  // once it shares records
  std::vector<Place> places_;   // newest first
  PostId floor_ = kAboveAllPosts;
  std::vector<UserNumber> following_;  // ascending
  bool all_pulled_ = false;
  bool lacks_timeline_ = false;  // and reading has one built
  PostId push_from_all_;         // as the state had it, like the next and the position
  std::uint64_t generation_ = 0;
  Bonds bonds_;
  Sequence position_;
  std::size_t room_ = 0;       // so many places are kept
  std::uint64_t sources_ = 0;  // read by a walk that came to the end
  std::uint64_t edits_ = 0;    // of the library, that its cards are of
  Time day_;                   // of the last read
  feed::Upkeep upkeep_ = feed::Upkeep::kNone;
  bool warm_ = true;
};

}  // namespace chirp::hot
