// Goal: damage is reported and never served: with any stored file cut or changed, opening and
// reading says the truth, explains itself with an Error, or leaves out what the checks then name.
// Nothing hangs. Method: each stored file is cut at every length that matters and changed at some
// thousand places; a child reads everything there is and compares it with the truth.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "tests/support/damaged_directory.h"
#include "tests/support/faults.h"

namespace chirp::test {
namespace {

constexpr std::size_t kPage = 4096;
// How often each verdict came.
using Tally = std::map<int, int>;

void judge(Ended ended, std::initializer_list<int> allowed, Tally& tally) {
  CHECK_FALSE(ended.late);
  CHECK_MESSAGE(ended.signal == 0, to_string(ended));
  CHECK_MESSAGE(std::find(allowed.begin(), allowed.end(), ended.status) != allowed.end(),
                to_string(ended));
  if (ended.status == kExplained) CHECK_FALSE(ended.err.empty());
  ++tally[ended.status];
}

std::vector<std::size_t> lengths_of(std::size_t size) {
  std::vector<std::size_t> lengths{0, 1, 15, 16, 100, size / 2, size - 1};
  for (std::size_t page = 1; page * kPage <= size; page = page < 4 ? page + 1 : page * 2) {
    for (const std::size_t at : {page * kPage - 1, page * kPage, page * kPage + 1}) {
      lengths.push_back(at);
    }
  }
  if (size > kPage) lengths.push_back(size - kPage);
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  while (!lengths.empty() && lengths.back() >= size) lengths.pop_back();
  return lengths;
}

void cut(const DamagedDirectory& directory, const std::string& file,
         std::initializer_list<int> allowed) {
  const std::string bytes = directory.bytes(file);
  REQUIRE_FALSE(bytes.empty());
  Tally tally;
  for (const std::size_t length : lengths_of(bytes.size())) {
    INFO(file << " of " << bytes.size() << " bytes cut at " << length);
    judge(directory.examine(file, bytes.substr(0, length)), allowed, tally);
  }
}

std::uint64_t seed() {
  const char* text = std::getenv("CHIRP_SEED");
  return text == nullptr ? 20260115 : std::strtoull(text, nullptr, 10);
}

// Every second place holds something; a file is mostly free space.
std::size_t place_in(const std::string& bytes, bool used, std::mt19937_64& random) {
  for (;;) {
    const std::size_t at = random() % bytes.size();
    if (!used || bytes[at] != '\0') return at;
  }
}

// A tenth of the times under a sanitizer, which makes a child slow.
void flip(const DamagedDirectory& directory, const std::string& file, int times,
          std::initializer_list<int> allowed) {
  if (built_with_sanitizer()) times /= 10;
  const std::string bytes = directory.bytes(file);
  std::mt19937_64 random(seed());
  Tally tally;
  for (int i = 0; i < times; ++i) {
    const std::size_t at = place_in(bytes, i % 2 == 0, random);
    const char changed = static_cast<char>(bytes[at] ^ static_cast<char>(1u << random() % 8));
    INFO("CHIRP_SEED=" << seed() << ": " << file << " changed at " << at);
    judge(directory.examine(file, at, changed), allowed, tally);
  }
  for (const auto& [verdict, count] : tally) {
    MESSAGE(file << ": verdict " << verdict << " " << count << " times");
  }
}

}  // namespace

TEST_CASE("damage: stored files cut at every length are explained") {
  const DamagedDirectory directory(Left::kClosed);
  cut(directory, "engine/data.mdb", {kExplained, kTruth});
  cut(directory, "users.db", {kExplained, kTruth});  // the last page may be free
  cut(directory, "chirp.format", {kExplained});
}

TEST_CASE("damage: lock files hold nothing that is trusted") {
  const DamagedDirectory directory(Left::kKilled);
  cut(directory, "engine/lock.mdb", {kTruth});
  std::mt19937_64 random(seed());
  for (const std::string file : {"engine/lock.mdb", "users.db-shm"}) {
    std::string rubbish = directory.bytes(file);
    REQUIRE_FALSE(rubbish.empty());
    for (char& byte : rubbish) byte = static_cast<char>(random());
    INFO("CHIRP_SEED=" << seed() << ": " << file);
    Tally tally;
    judge(directory.examine(file, rubbish), {kTruth}, tally);
  }
  for (const char* file : {"open.lock", "write.lock", "fanout.lock"}) {
    Tally tally;
    judge(directory.examine(file, "rubbish"), {kTruth}, tally);
  }
}

TEST_CASE("damage: a cut log of the users is noticed") {
  const DamagedDirectory directory(Left::kKilled);
  REQUIRE(directory.bytes("users.db-wal").size() > kPage);
  cut(directory, "users.db-wal", {kExplained, kFewerNamed, kTruth});
  flip(directory, "users.db-wal", 300, {kExplained, kFewerNamed, kTruth});
}

TEST_CASE("damage: a changed byte in the engine's store is never served") {
  const DamagedDirectory directory(Left::kClosed);
  flip(directory, "engine/data.mdb", 3000, {kExplained, kFewerNamed, kTruth});
}

TEST_CASE("damage: a changed byte in the users' file is explained or named") {
  const DamagedDirectory directory(Left::kClosed);
  flip(directory, "users.db", 1000, {kExplained, kFewerNamed, kWrongNamed, kTruth});
}

TEST_CASE("damage: every changed byte of chirp.format is explained") {
  const DamagedDirectory directory(Left::kClosed);
  const std::string bytes = directory.bytes("chirp.format");
  Tally tally;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    INFO("changed at " << at);
    judge(directory.examine("chirp.format", changed), {kExplained}, tally);
  }
}

}  // namespace chirp::test
