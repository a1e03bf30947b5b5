// Loads posts: checks each, creates its author if necessary, and stores batches of one transaction
// each.
//
// A transaction is stored whole or not at all, and users before their posts. While a batch is
// stored in the background, the next is read. Batches that are about in the order of time are
// stored as they come. Once one is not, posts are gathered and stored in that order as far as
// memory allows. If they come in no order at all, the rest of the input is first sorted outside of
// memory, and stored at its end. Grouping depends only on the input, so the same input gives the
// same posts. Memory is bounded by the gathered posts, three batches, and the posts that wait for
// others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/load/background.h"
#include "core/load/bulk.h"
#include "core/load/people.h"
#include "core/load/post_sort.h"
#include "core/load/post_window.h"
#include "core/load/post_writer.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"

namespace chirp::load {

// The phase of a load: posts are stored as they come; or they are sorted, then their source ids are
// compared, then they are stored.
enum class PostPhase : std::uint8_t { kReading, kSorting, kComparing, kStoring };

struct PostOptions {
  std::optional<UserNumber> author{};  // of every post, whatever the source says
  // of the first transaction, and the minimum; later sizes follow the pace
  std::size_t first_rows = 2'048;
  std::size_t most_rows = 32'768;  // of a batch, and of a transaction
  std::size_t most_bytes = std::size_t{8} << 20;
  std::size_t window_bytes = std::size_t{96} << 20;  // of posts that come in no order of time
  // of posts whose entries are stored before them
  std::size_t early_bytes = std::size_t{192} << 20;
  // Whether log entries are stored before their posts, for many posts at once, in the order of
  // authors; kAuto: if that is faster.
  Bulk early = Bulk::kAuto;
  // Whether all posts are sorted by time outside memory before they are stored; kAuto: the rest of
  // the input, once posts come in no order of time. Only if the store has room for it.
  Bulk sorting = Bulk::kAuto;
  SortBounds sort{};
  std::size_t waiting_bytes = std::size_t{64} << 20;  // of posts that wait for others
  PeopleBounds people{};
  // Called within add() with the reason if the post inside of the post is refused.
  std::function<void(std::string_view why)> original_refused{};
};

class PostLoader {
 public:
  PostLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
             PostOptions options = {});

  // Adds the post, unless it is invalid: returns what is wrong, such as an impossible author, a
  // time before 2000 or in the future, or a text that breaks the rules. A valid original inside of
  // it is added first. A repost may have no text.
  [[nodiscard]] std::optional<std::string> add(SourcePost&& post);
  // Notes the source's data about a user; see People::say.
  void say(SourceUser&& user);
  // Creates these users, and names existing users with generated names. At most PeopleBounds::ids
  // users.
  void bring(const std::vector<SourceUser>& users);
  [[nodiscard]] Words& words() { return people_.words(); }
  [[nodiscard]] bool names_refused() const { return people_.names_refused(); }

  // Stores what is gathered and waits until all is stored.
  void finish();
  // Drops what is gathered; whole batches before it are stored, including sorted ones. Call it
  // after a bad line.
  void abandon();

  // From any thread.
  [[nodiscard]] Counts counts() const { return tally_.counts(); }
  [[nodiscard]] const std::atomic<std::uint64_t>& stored() const { return tally_.stored; }
  [[nodiscard]] PostPhase phase() const { return phase_; }

 private:
  struct Item {
    SourcePost post;
    Nesting came = Nesting::kItself;
  };
  struct Batch {
    std::vector<Item> posts;
    std::vector<SourceUser> names;
    std::size_t bytes = 0;
  };

  void close_batch();
  static constexpr std::size_t kMostAgain = 65'536;

  void hand_on(std::vector<PostRow> rows);
  void gather(std::vector<PostRow> rows);
  void hand_on_from(PostWindow& window);
  [[nodiscard]] bool gathers_early();
  void begin_early();
  void empty_early();
  void hand_on_again();
  // post_sorting.cpp
  [[nodiscard]] bool is_spread(std::size_t added, std::size_t most);
  bool begin_sorting();
  void store_sorted();
  void end_sorting();
  [[nodiscard]] bool in_order(std::span<const PostRow> rows);
  void empty_window();
  // Checks and normalises the text. Returns what is wrong with the post.
  [[nodiscard]] std::optional<std::string> checked(SourcePost& post, Nesting came);
  void take(SourcePost&& post, Nesting came);
  // Whether the source names the author.
  [[nodiscard]] bool has_own_author(Nesting came) const {
    return came == Nesting::kInside || !options_.author;
  }
  void meet_authors(std::span<const Item> items);
  [[nodiscard]] UserNumber author_of(const Item& item);

  Storage& storage_;
  const Clock& clock_;
  PostOptions options_;
  Tally tally_;
  Turns turns_;
  People people_;
  PostWriter writer_;  // used in the background
  Batch gathered_;
  PostWindow window_;
  PostWindow early_;  // posts whose entries are stored, and which are being stored now
  bool gathers_early_ = false;
  std::vector<PostWriter::Again> again_;  // of the window
  Time reached_;  // the middle time of the last rows that were checked for their order
  TimeSpread spread_;
  std::size_t group_bytes_ = 0;  // of the posts in `spread_`
  std::optional<PostSort> sort_;
  std::atomic<PostPhase> phase_{PostPhase::kReading};
  Background<std::vector<PostRow>> storing_;  // last: it uses the members above
};

}  // namespace chirp::load
