#include "tests/support/damaged_directory.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "cli/process.h"
#include "core/error.h"
#include "tests/support/data_directories.h"
#include "tests/support/faults.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using Contents = std::vector<std::string>;

bool is_part_of(const Contents& some, const Contents& all) {
  auto at = all.begin();
  for (const std::string& line : some) {
    at = std::find(at, all.end(), line);
    if (at == all.end()) return false;
    ++at;
  }
  return true;
}

Verdict verdict_on(const fs::path& path, const Contents& truth) {
  const auto directory = DataDirectory::open(path);
  const Contents found = contents(*directory);
  if (found == truth) return kTruth;
  const bool fewer = is_part_of(found, truth);
  const bool named = !faults_in(*directory).empty();
  if (fewer) return named ? kFewerNamed : kFewerSilent;
  const auto first = std::mismatch(found.begin(), found.end(), truth.begin(), truth.end());
  fmt::print("served: {}\ntruth: {}\n", first.first == found.end() ? "" : *first.first,
             first.second == truth.end() ? "" : *first.second);
  return named ? kWrongNamed : kWrongSilent;
}

// Whether a sanitizer ended the child at a fault of the mapped file, which it explains itself
// where it is built without one.
bool faulted(const Ended& ended) {
  const auto says = [&](const char* words) { return ended.err.find(words) != std::string::npos; };
  return built_with_sanitizer() && (says("Sanitizer: SEGV") || says("Sanitizer: BUS"));
}

}  // namespace

DamagedDirectory::DamagedDirectory(Left left) {
  store::make_data_directory(folder_ / "made", {});
  auto directory = DataDirectory::open(folder_ / "made");
  fill(*directory, 8, 12);
  truth_ = contents(*directory);
  if (left == Left::kClosed) directory.reset();
  copy_folder(folder_ / "made", folder_ / "pristine");
  restore();
}

std::string DamagedDirectory::bytes(const std::string& file) const {
  return read_file(folder_ / "pristine" / file);
}

Ended DamagedDirectory::examine(const std::string& file, const std::string& bytes) const {
  write_file(path() / file, bytes);
  Ended ended = read();
  restore();
  return ended;
}

Ended DamagedDirectory::examine(const std::string& file, std::size_t at, char byte) const {
  const char before = bytes(file)[at];
  put(file, at, byte);
  Ended ended = read();
  put(file, at, before);
  return ended;
}

Ended DamagedDirectory::read() const {
  Ended ended = run_forked([&] {
    cli::prepare_process();
    try {
      return static_cast<int>(verdict_on(path(), truth_));
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      return static_cast<int>(kExplained);
    }
  });
  if (faulted(ended)) {
    ended.status = kExplained;
    ended.signal = 0;
  }
  return ended;
}

void DamagedDirectory::put(const std::string& file, std::size_t at, char byte) const {
  std::fstream out(path() / file, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(at)).put(byte);
}

void DamagedDirectory::restore() const {
  fs::remove_all(path());
  copy_folder(folder_ / "pristine", path());
}

}  // namespace chirp::test
