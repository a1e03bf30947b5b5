// Goal: whatever changes between people and posts shows on every surface at the next read, for what
// was there before too, and undoing it brings back what the definition then says.
// Method: a table with a cell for each surface and each change; a table with a hole does not
// compile. A cell says what is found before, after, and after undoing, as the definition has it; it
// is read with everything pending and again when all has been taken in, over every store.
#include <array>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/support/matrix_world.h"

namespace chirp::test {
namespace {

struct Cell {
  std::string_view before;
  std::string_view after;
  std::string_view undone;  // empty of what is for good
};

using MatrixRow = std::array<Cell, kTurns>;
using Table = std::array<MatrixRow, kSurfaces>;

// The feed: everybody's own posts and those of whom they follow; a repost falls with either of its
// two authors.
constexpr std::string_view kFed = "M<ada P<rolf Q F";
constexpr MatrixRow kFeed{{
    {kFed, "P<rolf M Q", kFed},     // unfollow
    {kFed, "M Q", "P<rolf M Q"},    // block; the follows that it ended do not come back
    {kFed, "M Q", "P<rolf M Q"},    // blocked
    {kFed, "M Q", kFed},            // mute: of reposts by others, too
    {kFed, kFed, kFed},             // a quarrel of others: both are read, each for themselves
    {"none", "M<ada F P", "none"},  // privacy
    {kFed, "M<ada Q F", {}},        // a post, with its reposts
    {kFed, "M Q", {}},              // a user
    {kFed, "M Q", kFed},            // a suspension: all comes back
}};

// By id: privacy and blocks, of both authors of a repost; not follows or mutes otherwise.
constexpr std::string_view kSeen = "P F Q M RP RM";
constexpr std::string_view kOpen = "P Q M RP RM";
constexpr MatrixRow kPermalink{{
    {kSeen, kOpen, kSeen},
    {kSeen, "Q M", kOpen},
    {kSeen, "Q M", kOpen},
    {kSeen, kSeen, kSeen},
    {kSeen, kSeen, kSeen},
    {kOpen, kSeen, kOpen},
    {kSeen, "F Q M RM", {}},
    {kSeen, "Q M", {}},
    {kSeen, "Q M", kSeen},
}};

constexpr std::string_view kListed = "RM F P | RP Q | M";
constexpr std::string_view kLess = "RM P | RP Q | M";
constexpr MatrixRow kLists{{
    {kListed, kLess, kListed},
    {kListed, "none | Q | M", kLess},
    {kListed, "none | Q | M", kLess},
    {kListed, kListed, kListed},
    {kListed, kListed, kListed},
    {kLess, kListed, kLess},
    {kListed, "RM F | Q | M", {}},
    {kListed, "gone | Q | M", {}},
    {kListed, "gone | Q | M", kListed},
}};

// Readers of the post see its comments, unless they and the comment's author have a block between
// them; a block between the authors of comment and post hides it from all.
constexpr std::string_view kTalk = "CR CA | CQ | CP | CF";
constexpr std::string_view kOpenTalk = "CR CA | CQ | CP | gone";
constexpr MatrixRow kComments{{
    {kTalk, kOpenTalk, kTalk},
    {kTalk, "CR | none | gone | gone", kOpenTalk},
    {kTalk, "CR | none | gone | gone", kOpenTalk},
    {kTalk, kTalk, kTalk},
    {kTalk, "CR CA | none | none | none", kTalk},
    {kOpenTalk, kTalk, kOpenTalk},
    {kTalk, "CR CA | CQ | gone | CF", {}},
    {kTalk, "CR | none | gone | gone", {}},
    {kTalk, "CR | none | gone | gone", kTalk},
}};

// Counters are the same for everybody: a block takes nothing but the follows that it ends.
constexpr std::string_view kCounted = "2/2/1 ada 3/2/1 vera 1/1/2";
constexpr std::string_view kSevered = "2/2/1 ada 3/1/0 vera 1/0/1";
constexpr MatrixRow kCounts{{
    {kCounted, "2/2/1 ada 3/1/1 vera 1/1/1", kCounted},
    {kCounted, kSevered, kSevered},
    {kCounted, kSevered, kSevered},
    {kCounted, kCounted, kCounted},
    {kCounted, "2/2/1 ada 3/1/1 vera 1/1/2", "2/2/1 ada 3/1/1 vera 1/1/2"},
    {kCounted, "2/2/1 ada 3/3/1 vera 1/1/2", kCounted},
    {kCounted, "2/2/1 ada 2/2/1 vera 1/1/2", {}},
    {kCounted, "1/1/0 ada gone vera 1/0/1", {}},
    {kCounted, "2/2/1 ada gone vera 1/1/2", kCounted},  // others' counts keep who is suspended
}};

// Notifications that hold and may be seen; none by blocked or muted users.
constexpr std::string_view kTold =
    "comment:rolf comment:ada like:rolf like:ada repost:ada mention:ada follow:ada";
constexpr std::string_view kToldLess =
    "comment:rolf comment:ada like:rolf like:ada repost:ada mention:ada";
constexpr MatrixRow kNotifications{{
    {kTold, kTold, kTold},
    {kTold, "comment:rolf like:rolf", kToldLess},
    {kTold, "comment:rolf like:rolf", kToldLess},
    {kTold, "comment:rolf like:rolf", kTold},
    {kTold, kTold, kTold},
    {"none", "mention:ada", "none"},
    {kTold, "comment:rolf comment:ada like:rolf like:ada repost:ada follow:ada", {}},
    {kTold, "comment:rolf like:rolf", {}},
    {kTold, "comment:rolf like:rolf", kTold},
}};

// What happened, once; what follows from it has no event of its own but the follows that end.
constexpr MatrixRow kLog{{
    {"none", "follow.removed", "follow.added"},
    {"none", "block.added follow.removed follow.removed", "block.removed"},
    {"none", "block.added follow.removed follow.removed", "block.removed"},
    {"none", "mute.added", "mute.removed"},
    {"none", "block.added follow.removed", "block.removed"},
    {"none", "follow.added", "follow.removed"},
    {"none", "post.removed", {}},
    {"none", "user.removed", {}},
    {"none", "user.suspended", "user.unsuspended"},
}};

constexpr Table kTable{kFeed, kPermalink, kLists, kComments, kCounts, kNotifications, kLog};

constexpr bool is_for_good(std::size_t turn) {
  return turn == static_cast<std::size_t>(Turn::kRemovePost) ||
         turn == static_cast<std::size_t>(Turn::kRemoveUser);
}

constexpr bool has_no_hole(const Table& table) {
  for (const MatrixRow& row : table) {
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
      if (row[turn].before.empty() || row[turn].after.empty()) return false;
      if (row[turn].undone.empty() != is_for_good(turn)) return false;
    }
  }
  return true;
}
static_assert(has_no_hole(kTable), "each surface says what it shows of each change");

// With everything pending, and when all has been taken in.
void check_both(MatrixWorld& world, Surface surface, Turn turn, std::string_view wanted) {
  // What is counted of a removed user goes in steps.
  const bool in_steps = surface == Surface::kCounts && turn == Turn::kRemoveUser;
  if (!in_steps) CHECK(world.read(surface, turn) == wanted);
  world.catch_up();
  CHECK(world.read(surface, turn) == wanted);
}

void check_cell(const WorldKind& kind, Surface surface, Turn turn) {
  const Cell& cell = kTable[static_cast<std::size_t>(surface)][static_cast<std::size_t>(turn)];
  MatrixWorld world(kind);
  if (surface != Surface::kLog) {
    CHECK(world.read(surface, turn) == cell.before);
    world.catch_up();
    CHECK(world.read(surface, turn) == cell.before);
  }
  world.make(turn);
  check_both(world, surface, turn, cell.after);
  if (cell.undone.empty()) return;
  world.undo(turn);
  check_both(world, surface, turn, cell.undone);
}

}  // namespace

TEST_CASE("matrix: every change shows on every surface at the next read, and so does its undoing") {
  for (const WorldKind& kind : world_kinds()) {
    std::uint64_t number = 0;
    for (std::size_t surface = 0; surface < kSurfaces; ++surface) {
      for (std::size_t turn = 0; turn < kTurns; ++turn) {
        CAPTURE(kind.name);
        CAPTURE(surface);
        CAPTURE(turn);
        if (!is_in_share(kind, number++)) continue;
        check_cell(kind, static_cast<Surface>(surface), static_cast<Turn>(turn));
      }
    }
  }
}

}  // namespace chirp::test
