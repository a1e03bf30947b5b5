// Goal: who may not write a directory reads it right beside those who may, or is refused, and never
// makes them wait. Method: two shells post numbered texts while the directory is read by another
// user and through a read-only mount; what was acknowledged before a read began must be in it, and
// an author's posts are those from the first to the last without a gap.

#include <set>
#include <sys/mount.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::read_only_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;

constexpr int kReads = 12;

// A shell that posts `NAME 1`, `NAME 2`, … and writes down after each how far it is.
class Shell {
 public:
  Shell(const TempFolder& folder, std::string name)
      : acked_(folder / (name + ".acked")),
        stop_(folder / "stop"),
        loop_({{"/bin/sh", "-c",
                fmt::format("n=0; while [ ! -e '{0}' ]; do n=$((n+1)); '{1}' --data '{2}' post add "
                            "{3} \"{3} $n\" > /dev/null || exit 1; echo $n > '{4}.next'; mv "
                            "'{4}.next' '{4}'; done",
                            stop_.string(), CHIRP_BINARY, (folder / "chirp").string(), name,
                            acked_.string())}}),
        name_(std::move(name)) {}

  [[nodiscard]] std::size_t acked() const {
    return fs::exists(acked_) ? std::stoul(read_file(acked_)) : 0;
  }
  [[nodiscard]] const std::string& name() const { return name_; }
  void stop() {
    write_file(stop_, "");
    const Ended ended = loop_.wait();
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  }

 private:
  fs::path acked_;
  fs::path stop_;
  Background loop_;
  std::string name_;
};

// 0: right. 1: refused as busy. More: wrong.
int read_once(const fs::path& path, const std::vector<std::pair<std::string, std::size_t>>& least) {
  try {
    const auto directory = DataDirectory::open(path);
    std::map<UserNumber, std::set<std::string>> texts;
    const auto snapshot = directory->storage().snapshot();
    for (PostId below = kBelowAllPosts;;) {
      const auto posts = reads::rows_above<tables::Posts>(*snapshot, {below}, 1000);
      if (posts.empty()) break;
      for (const Post& post : posts) texts[post.author].insert(post.text);
      below = posts.back().id;
    }
    for (const auto& [name, acked] : least) {
      const auto user = directory->users().find_name(name);
      if (!user) return 2;
      const auto& theirs = texts[user->number];
      if (theirs.size() < acked) return 3;
      for (std::size_t i = 1; i <= theirs.size(); ++i) {
        if (!theirs.contains(fmt::format("{} {}", name, i))) return 4;
      }
    }
    return faults_in(*directory).empty() ? 0 : 5;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.code() == ErrorCode::kUnavailable ? 1 : 6;
  }
}

class Village {
 public:
  Village() {
    store::make_data_directory(path(), {});
    {
      const auto directory = DataDirectory::open(path());
      sign_up(*directory, "ann");
      sign_up(*directory, "ben");
    }
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::permissions(path(), fs::perms(0755));
    for (const auto& entry : fs::recursive_directory_iterator(path())) {
      fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0755) : fs::perms(0644));
    }
    ann_.emplace(folder_, "ann");
    ben_.emplace(folder_, "ben");
    REQUIRE(eventually([&] { return ann_->acked() > 0 && ben_->acked() > 0; }));
  }
  ~Village() { write_file(folder_ / "stop", ""); }

  // Reads again and again, and lets the shells get on in between.
  void read(const fs::path& path, const std::function<Ended(const std::function<int()>&)>& as) {
    int right = 0;
    for (int i = 0; i < kReads; ++i) {
      const std::size_t before = ann_->acked();
      const std::vector<std::pair<std::string, std::size_t>> least{{"ann", before},
                                                                   {"ben", ben_->acked()}};
      const Ended ended = as([&] { return read_once(path, least); });
      CHECK_MESSAGE((ended.status == 0 || ended.status == 1), to_string(ended));
      right += ended.ok() ? 1 : 0;
      REQUIRE(eventually([&] { return ann_->acked() > before; }));
    }
    CHECK(right > 0);
    ann_->stop();
    ben_->stop();
  }
  [[nodiscard]] fs::path path() const { return folder_ / "chirp"; }

 private:
  TempFolder folder_;
  std::optional<Shell> ann_;
  std::optional<Shell> ben_;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("read only: another user reads right beside writers, or is refused") {
  Village village;
  village.read(village.path(), run_as_nobody);
}

TEST_CASE("read only: a read-only mount is read right beside writers, or is refused") {
  const TempFolder mounted;
  Village village;
  const char* const at = mounted.path().c_str();
  if (::mount(village.path().c_str(), at, nullptr, MS_BIND, nullptr) != 0 ||
      ::mount(nullptr, at, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) {
    MESSAGE("skipped: no read-only file system can be mounted");
    return;
  }
  village.read(mounted.path(), [](const std::function<int()>& body) { return run_forked(body); });
  ::umount2(at, MNT_DETACH);
}

TEST_SUITE_END();

}  // namespace chirp::test::read_only_test
