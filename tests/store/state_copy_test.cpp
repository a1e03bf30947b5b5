// Goal: a copy of the engine's file that is taken beside writers is one state of it, whole, or is
// not taken for one. Method: transactions are committed between noting a state, copying and looking
// whether it is whole, so many before and so many after; a model says what the state held.

#include "store/lmdb/state_copy.h"

#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "tests/support/lmdb_rows.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
// Nobody is waited for.
store::Deadline at_once() { return {store::machine_clock(), std::chrono::nanoseconds(0)}; }

// Rows that are rewritten again and again, so that pages are freed and taken up again.
class Rewritten {
 public:
  Rewritten(const fs::path& folder, unsigned seed) : random_(seed), rows_(folder) {
    for (int i = 0; i < 20; ++i) commit();
  }
  void commit(int times = 1) {
    for (; times > 0; --times) {
      LmdbRows::Model put;
      const int from = below(800);
      for (int i = from; i < from + 1 + below(100); ++i) {
        put[fmt::format("{:08}", i)] = std::string(30 + std::size_t(below(200)), mark_);
      }
      std::vector<std::string> take;
      const int taken = below(800);
      for (int i = taken; i < taken + below(60); ++i) take.push_back(fmt::format("{:08}", i));
      rows_.change(put, take);
      mark_ = mark_ == 'z' ? 'a' : static_cast<char>(mark_ + 1);
    }
  }
  [[nodiscard]] const LmdbRows& rows() const { return rows_; }

 private:
  int below(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most)); }

  std::mt19937 random_;
  char mark_ = 'a';
  LmdbRows rows_;
};

}  // namespace

TEST_CASE("state copy: is the state that was noted, or says that it is not") {
  int broken = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    for (int before = 0; before <= 3; ++before) {
      for (int after = 0; after <= 3; ++after) {
        CAPTURE(seed);
        CAPTURE(before);
        CAPTURE(after);
        const TempFolder folder;
        fs::create_directory(folder / "copy");
        Rewritten live(folder.path(), seed);
        const auto truth = live.rows().model();
        const lmdb::StateCopy state(live.rows().file());
        live.commit(before);
        state.copy(folder / "copy" / "data.mdb");
        live.commit(after);
        REQUIRE(state.is_whole() == (before + after <= 1));
        // One transaction more is harmless yet, the next after it is what the copy must not meet.
        if (before <= 2) CHECK(LmdbRows::read(folder / "copy") == truth);
        if (before == 3) broken += LmdbRows::read(folder / "copy") == truth ? 0 : 1;
      }
    }
  }
  CHECK(broken > 0);
}

TEST_CASE("state copy: where nobody writes, the newest state is copied at once") {
  const TempFolder folder;
  fs::create_directory(folder / "copy");
  const Rewritten live(folder.path(), 7);
  lmdb::copy_state(live.rows().file(), folder / "copy" / "data.mdb", at_once());
  CHECK(LmdbRows::read(folder / "copy") == live.rows().model());
}

TEST_CASE("state copy: a file that is cut is explained and not copied") {
  const TempFolder folder;
  const fs::path file = folder / "data.mdb";
  { const Rewritten live(folder.path(), 7); }
  fs::resize_file(file, 5 * 4096);
  const Error error = error_of([&] { lmdb::copy_state(file, folder / "copy.mdb", at_once()); });
  CHECK(error.code() == ErrorCode::kCorrupt);
}

}  // namespace chirp::test
