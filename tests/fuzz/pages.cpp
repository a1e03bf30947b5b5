// Pages of the store. The input says what happens to a small data directory: its first byte chooses
// a file, the rest are edits of it. A child opens the directory and reads everything: it says the
// truth, explains itself, or leaves out what the checks then name. Of users, who have no checks of
// their own, something wrong may be said as long as it is named.
#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/fuzz/targets.h"
#include "tests/support/damaged_directory.h"

namespace chirp::fuzz {
namespace {

constexpr std::size_t kPage = 4096;
constexpr int kEditsMax = 32;

// Takes numbers off the front of the input; zeros behind its end.
class Numbers {
 public:
  explicit Numbers(Bytes bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return bytes_.empty(); }
  std::size_t byte() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  std::size_t pair() {
    const std::size_t low = byte();
    return low | byte() << 8;
  }

 private:
  Bytes bytes_;
};

enum class Edit : std::uint8_t { kSet, kSwap, kCopy, kZero, kCut };
constexpr std::size_t kEdits = 5;

void edit(std::string& file, Numbers& numbers) {
  const auto what = static_cast<Edit>(numbers.byte() % kEdits);
  const std::size_t pages = std::max<std::size_t>(file.size() / kPage, 1);
  const std::size_t page = numbers.byte() % pages * kPage;
  if (file.size() < page + kPage) return;
  switch (what) {
    case Edit::kSet: {
      const std::size_t offset = numbers.pair() % kPage;
      const std::size_t count = std::min(1 + numbers.byte() % 16, kPage - offset);
      for (std::size_t i = 0; i < count; ++i) {
        file[page + offset + i] = static_cast<char>(numbers.byte());
      }
      return;
    }
    case Edit::kSwap: {
      const std::size_t other = numbers.byte() % pages * kPage;
      std::swap_ranges(file.begin() + static_cast<std::ptrdiff_t>(page),
                       file.begin() + static_cast<std::ptrdiff_t>(page + kPage),
                       file.begin() + static_cast<std::ptrdiff_t>(other));
      return;
    }
    case Edit::kCopy:
      file.replace(page, kPage, file.substr(numbers.byte() % pages * kPage, kPage));
      return;
    case Edit::kZero:
      file.replace(page, kPage, kPage, '\0');
      return;
    case Edit::kCut:
      file.resize(page + numbers.pair() % kPage);
      return;
  }
}

}  // namespace

void pages(Bytes input) {
  static const test::DamagedDirectory kDirectory(test::Left::kClosed);
  Numbers numbers(input);
  const bool engine = numbers.byte() % 2 == 0;
  const char* const name = engine ? "engine/data.mdb" : "users.db";
  std::string file = kDirectory.bytes(name);
  for (int i = 0; i < kEditsMax && !numbers.done(); ++i) edit(file, numbers);

  const test::Ended ended = kDirectory.examine(name, file);
  holds(!ended.late, "reading damaged files comes to an end");
  const auto rule = [&](const std::string& words) { return words + ": " + to_string(ended); };
  holds(ended.signal == 0, rule("damage ends no process by a signal").c_str());
  const bool allowed = ended.status == test::kTruth || ended.status == test::kFewerNamed ||
                       (ended.status == test::kExplained && !ended.err.empty()) ||
                       (ended.status == test::kWrongNamed && !engine);
  holds(allowed, rule("damage is explained or named").c_str());
}

}  // namespace chirp::fuzz
