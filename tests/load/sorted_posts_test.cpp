// Goal: a load that sorts its posts outside of memory stores what a load stores that does not, in
// whatever order they come and however the load ends, and nothing of it is half there.
// Method: random posts in runs of a few, loaded into LMDB with entries before their posts and
// without, against loads that never sort; rooms to sort in that fail at each call; after each
// transaction all feeds, lists and counts are held against the definition.
#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "tests/support/loaded_posts.h"
#include "tests/support/memory_scratch.h"
#include "tests/support/reserved_storage.h"
#include "tests/support/seeds.h"

namespace chirp::test::sorted_posts_test {
namespace {

using load::Bulk;
using load::PostLoader;
using load::PostOptions;
using load::PostPhase;
using load::SourcePost;
using Place = LoadedPlace;

PostOptions tiny(Place& place, Bulk early, Bulk sorting) {
  PostOptions options{.first_rows = 1 + place.below(3)};
  options.most_rows = options.first_rows + place.below(3);
  options.window_bytes = place.below(10) * 200;
  options.early_bytes = place.below(10) * 200;
  options.early = early;
  options.sorting = sorting;
  options.sort = {.gathered = 1 + place.below(10) * 300,
                  .memory = static_cast<std::size_t>(place.below(2) * 1'500),
                  .merged = static_cast<std::size_t>(place.below(2'000))};
  return options;
}

PostOptions plain_options() {
  return {.first_rows = 3, .most_rows = 3, .early = Bulk::kNever, .sorting = Bulk::kNever};
}

// Posts that a load meets: some twice, with other times and texts, before or after what they name.
std::vector<SourcePost> posts_for(Place& drawing, std::uint64_t seed) {
  return seed % 4 == 0 ? plain_posts(drawing, 40) : any_posts(drawing, 40);
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("sorted posts: a load stores the same whether it sorts its posts or not") {
  const std::uint64_t first = first_seed();
  int sorted_by_itself = 0;
  for (std::uint64_t seed = first; seed < first + worlds_or(80); ++seed) {
    CAPTURE(seed);
    Place plain(seed);
    Place sorted(seed);
    Place drawing(seed);
    const auto there = plain_posts(drawing, 10);
    const auto input = posts_for(drawing, seed);
    for (Place* place : {&plain, &sorted}) (void)place->load(there, plain_options());
    const load::Counts expected = plain.load(input, plain_options());
    const Bulk early = seed % 3 == 0 ? Bulk::kNever : Bulk::kAlways;
    const Bulk sorting = seed % 2 == 0 ? Bulk::kAlways : Bulk::kAuto;
    ScratchStorage storage(sorted.storage());
    const bool in_memory = drawing.below(2) == 0;
    const PostOptions options = tiny(drawing, early, sorting);
    const load::Counts counts =
        sorted.load_into(in_memory ? static_cast<Storage&>(storage) : sorted.storage(), input,
                         options, [&] { CHECK(sorted.wrong() == ""); });
    if (sorting == Bulk::kAuto && storage.calls.bytes > 0) ++sorted_by_itself;
    CHECK(sorted.rows() == plain.rows());
    CHECK(counts.stored == expected.stored);
    CHECK(counts.duplicates == expected.duplicates);
    CHECK(counts.same_id_other_text == expected.same_id_other_text);
    CHECK(counts.reposts == expected.reposts);
    CHECK(counts.comments == expected.comments);
    CHECK(counts.originals == expected.originals);
    CHECK(counts.unknown_originals == expected.unknown_originals);
    CHECK_FALSE(sorted.has_mark());
    CHECK(sorted.wrong() == "");
    // Again: nothing is new, so nothing is written.
    const std::uint64_t version = sorted.storage().version();
    (void)sorted.load(there, options);
    CHECK(sorted.storage().version() == version);
  }
  if (worlds_or(80) >= 80) CHECK(sorted_by_itself > 5);
}

TEST_CASE("sorted posts: posts in some order are stored as they come") {
  for (const Bulk early : {Bulk::kNever, Bulk::kAlways}) {
    for (const bool newest_first : {false, true}) {
      for (const bool is_random : {false, true}) {
        CAPTURE(newest_first);
        CAPTURE(is_random);
        Place place(5);
        ScratchStorage storage(place.storage());
        std::vector<SourcePost> input;
        for (std::uint64_t i = 1; i <= 400; ++i) {
          const auto at = static_cast<std::int64_t>(newest_first ? 400 - i : i);
          input.push_back(post_of(i, 1 + i % Place::kUsers, Time{kThen.ms + at}));
        }
        if (is_random) std::ranges::shuffle(input, place.random);
        PostOptions options{.first_rows = 4, .most_rows = 8};
        options.window_bytes = options.early_bytes = 8'000;
        options.early = early;
        (void)place.load_into(storage, input, options);
        CHECK(storage.calls.rooms == (is_random ? 1 : 0));
        CHECK(place.posts().size() == 401);
        options.sorting = Bulk::kNever;
        (void)place.load_into(storage, input, options);
        CHECK(storage.calls.rooms == (is_random ? 1 : 0));
      }
    }
  }
}

TEST_CASE("sorted posts: says what it is at, and stores nothing while it sorts") {
  Place place(6);
  ScratchStorage storage(place.storage());
  PostOptions options{.first_rows = 4, .most_rows = 4};
  options.sorting = Bulk::kAlways;
  std::set<PostPhase> at_transactions;
  const PostLoader* looked_at = nullptr;
  const auto between = [&] {
    if (looked_at != nullptr) at_transactions.insert(looked_at->phase());
  };
  PostLoader loader(storage, place.directory, place.clock, between, options);
  Place::bring_people(loader);
  looked_at = &loader;
  for (const SourcePost& post : plain_posts(place, 40)) {
    REQUIRE_FALSE(loader.add(SourcePost(post)));
  }
  CHECK(loader.phase() == PostPhase::kSorting);
  CHECK(loader.stored() == 0);
  CHECK(at_transactions.empty());
  loader.finish();
  CHECK(loader.phase() == PostPhase::kReading);
  CHECK(at_transactions == std::set<PostPhase>{PostPhase::kStoring});
  CHECK(loader.stored() == place.posts().size() - 1);
}

namespace {

// Loads the first posts, and gives up as after a bad line.
void load_up_to_bad_line(Place& place, std::span<const SourcePost> input,
                         const PostOptions& options) {
  PostLoader loader(
      place.storage(), place.directory, place.clock, [] {}, options);
  Place::bring_people(loader);
  for (const SourcePost& post : input) REQUIRE_FALSE(loader.add(SourcePost(post)));
  loader.abandon();
}

}  // namespace

TEST_CASE("sorted posts: after a bad line the whole batches before it are stored") {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + worlds_or(20); ++seed) {
    CAPTURE(seed);
    Place drawing(seed);
    const auto input = any_posts(drawing, 40);
    const auto until = std::span(input).first(drawing.below(input.size() + 1));
    PostOptions never = plain_options();
    never.window_bytes = std::size_t{1} << 20;
    PostOptions always = tiny(drawing, Bulk::kAlways, Bulk::kAlways);
    always.first_rows = always.most_rows = 3;
    Place plain(seed);
    Place sorted(seed);
    load_up_to_bad_line(plain, until, never);
    load_up_to_bad_line(sorted, until, always);
    CHECK(sorted.rows() == plain.rows());
    CHECK(sorted.wrong() == "");
  }
}

namespace {

PostOptions for_ends() {
  PostOptions options{.first_rows = 2, .most_rows = 3};
  options.early_bytes = 1'200;
  options.early = Bulk::kAlways;
  options.sorting = Bulk::kAlways;
  options.sort = {.gathered = 700, .memory = 0, .merged = 0};
  return options;
}

// The directory is right, and the same load again loads the rest.
void check_and_repeat(Place& place, const std::vector<SourcePost>& input, const Place& whole) {
  CHECK(place.wrong() == "");
  place.storage().settle();
  CHECK_FALSE(place.has_mark());
  CHECK(place.wrong() == "");
  (void)place.load(input, for_ends());
  CHECK(place.rows() == whole.rows());
  CHECK(place.wrong() == "");
}

}  // namespace

TEST_CASE("sorted posts: a load that ends anywhere is right at once, and can be repeated") {
  for (const Ends ends : {Ends::kDies, Ends::kAbandons, Ends::kDiskFull}) {
    CAPTURE(static_cast<int>(ends));
    Place whole(3);
    const auto input = plain_posts(whole, 24);
    (void)whole.load(input, for_ends());
    for (int transaction = 0;; ++transaction) {
      CAPTURE(transaction);
      Place place(3);
      (void)plain_posts(place, 24);
      ReservedStorage storage(place.storage());
      int left = transaction;
      const auto between = [&] {
        CHECK(place.wrong() == "");
        if (left-- != 0) return;
        if (ends != Ends::kDiskFull) throw Error(ErrorCode::kIo, "stopped");
        storage.set_reached(true);
      };
      if (!load_until_failure(place, storage, input, for_ends(), between, ends)) break;
      check_and_repeat(place, input, whole);
    }
  }
}

TEST_CASE("sorted posts: if there is no room to sort in, nothing that was sorted is stored") {
  Place whole(3);
  const auto input = plain_posts(whole, 24);
  (void)whole.load(input, for_ends());
  for (const Bulk sorting : {Bulk::kAlways, Bulk::kAuto}) {
    PostOptions options = for_ends();
    options.sorting = sorting;
    if (sorting == Bulk::kAuto) options.sort.gathered = 1;  // most of the window is left then
    for (int append = 0;; ++append) {
      CAPTURE(static_cast<int>(sorting));
      CAPTURE(append);
      Place place(3);
      (void)plain_posts(place, 24);
      ScratchStorage storage(place.storage());
      storage.calls.failing_append = append;
      const bool failed = load_until_failure(
          place, storage, input, options, [] {}, Ends::kAbandons);
      if (!failed) {
        CHECK(append > 4);
        break;
      }
      CHECK(place.posts().size() == 1);
      check_and_repeat(place, input, whole);
    }
  }
}

TEST_CASE("sorted posts: if what was sorted can't be read, the load can be repeated") {
  Place whole(3);
  const auto input = plain_posts(whole, 24);
  (void)whole.load(input, for_ends());
  for (int read = 0;; read += 3) {
    CAPTURE(read);
    Place place(3);
    (void)plain_posts(place, 24);
    ScratchStorage storage(place.storage());
    storage.calls.failing_read = read;
    if (!load_until_failure(
            place, storage, input, for_ends(), [] {}, Ends::kAbandons)) {
      CHECK(read > 6);
      break;
    }
    check_and_repeat(place, input, whole);
  }
}

TEST_SUITE_END();

}  // namespace chirp::test::sorted_posts_test
