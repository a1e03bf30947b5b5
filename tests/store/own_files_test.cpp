// Goal: another user who may read a directory holds nobody up; nothing is written through a link in
// the place of one of its files; and what root does in it leaves it to its owner.
// Method: a process of another user takes every kind of lock on every file that it can open, while
// commands run; links stand in the place of each file in turn; root's commands run in a directory
// of another user. Where the test is not root's, what needs two users is left out.

#include "store/own_files.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "store/share.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::own_files_test {
namespace {

namespace fs = std::filesystem;
using store::DataDirectory;
using store::FileReaders;

constexpr uid_t kService = 65533;
constexpr uid_t kStranger = 65534;

bool is_root() { return ::geteuid() == 0; }

bool become(uid_t user) {
  return ::setgroups(0, nullptr) == 0 && ::setgid(user) == 0 && ::setuid(user) == 0;
}

Ended as_user(uid_t user, const std::function<int()>& body) {
  return run_forked([&] { return become(user) ? body() : 98; });
}

struct stat facts_of(const fs::path& path) {
  struct stat facts {};
  REQUIRE_MESSAGE(::lstat(path.c_str(), &facts) == 0, path.string());
  return facts;
}

// With a post and a picture; whoever runs the test owns it.
void make_village(const fs::path& path) {
  store::make_data_directory(path, {});
  fill(*DataDirectory::open(path), 4, 1);
  write_file(path.string() + ".png", png());
}

std::vector<std::vector<std::string>> writing_commands(const fs::path& path) {
  return {{"post", "add", "a0", "hello"},
          {"post", "add", "a1", "look", "--media", path.string() + ".png"},
          {"user", "token", "a2"},
          {"doctor", "--repair"},
          {"compact"}};
}

// A process of another user that holds a kind of lock on all files that it can open.
class Holder {
 public:
  using Lock = std::function<bool(int fd)>;

  Holder(const fs::path& path, const Lock& lock) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) hold(path, lock, ends[1]);
    ::close(ends[1]);
    REQUIRE(::read(ends[0], &locked_, 1) == 1);
    ::close(ends[0]);
  }
  ~Holder() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  // Files that it has locked.
  [[nodiscard]] int locked() const { return locked_; }

 private:
  [[noreturn]] static void hold(const fs::path& path, const Lock& lock, int told) {
    char locked = 0;
    if (!become(kStranger)) ::_exit(1);
    std::error_code hidden;
    for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied,
                                             hidden);
         !hidden && at != fs::recursive_directory_iterator(); at.increment(hidden)) {
      const int fd = ::open(at->path().c_str(), O_RDONLY);
      if (fd >= 0 && lock(fd)) ++locked;
    }
    if (::write(told, &locked, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }

  pid_t pid_ = -1;
  char locked_ = 0;
};

bool lock_by(int fd, int how) {
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(fd, how, &lock) == 0;
}

std::vector<std::pair<std::string, Holder::Lock>> locks() {
  return {{"of a process", [](int fd) { return lock_by(fd, F_SETLK); }},
          {"of an open file", [](int fd) { return lock_by(fd, F_OFD_SETLK); }},
          {"of flock, shared", [](int fd) { return ::flock(fd, LOCK_SH | LOCK_NB) == 0; }},
          {"of flock, alone", [](int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) == 0; }}};
}

void open_all(const fs::path& path) {
  fs::permissions(path, fs::perms(0755));
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    fs::permissions(entry.path(), entry.is_directory() ? fs::perms(0755) : fs::perms(0644));
  }
}

const std::vector<std::string>& lock_files() {
  static const std::vector<std::string> files{"open.lock",   "write.lock",  "fanout.lock",
                                              "media.lock",  "server.lock", "engine/lock.mdb",
                                              "users.db-shm"};
  return files;
}

}  // namespace

TEST_CASE("own files: another user who may read holds nobody up, whatever they lock") {
  if (!is_root()) return;
  for (const bool shared : {true, false}) {
    for (const auto& [name, lock] : locks()) {
      CAPTURE(shared);
      CAPTURE(name);
      const TempFolder folder;
      fs::permissions(folder.path(), fs::perms(0755));
      const fs::path path = folder / "chirp";
      make_village(path);
      const auto open = DataDirectory::open(path);  // so that SQLite's files stay
      if (shared) {
        store::share_directory(path, FileReaders::kEveryone);
      } else {
        open_all(path);  // as older versions of chirp advised
        REQUIRE(run(chirp_command(path.string(), {"user", "token", "a1"})).ok());
      }
      const Holder holder(path, lock);
      CHECK(holder.locked() >= 4);  // data files, at least
      for (const auto& arguments : writing_commands(path)) {
        if (arguments[0] == "compact") continue;  // needs the directory for itself
        const Ended ended = run(chirp_command(path.string(), arguments));
        CHECK_MESSAGE(ended.ok(), to_string(ended));
      }
      CHECK_NOTHROW(publish(*open, UserNumber{1}, "me, too"));
    }
  }
}

TEST_CASE("own files: another user who may read keeps nobody from compacting") {
  if (!is_root()) return;
  for (const auto& [name, lock] : locks()) {
    CAPTURE(name);
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms(0755));
    const fs::path path = folder / "chirp";
    make_village(path);
    store::share_directory(path, FileReaders::kEveryone);
    const Holder holder(path, lock);
    for (const auto& arguments : writing_commands(path)) {
      const Ended ended = run(chirp_command(path.string(), arguments));
      CHECK_MESSAGE(ended.ok(), to_string(ended));
    }
  }
}

TEST_CASE("own files: a shared directory is read only by the users whom it is shared with") {
  if (!is_root()) return;
  const TempFolder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  const fs::path path = folder / "chirp";
  make_village(path);
  const auto all = contents(path);
  const auto reads = [&] {
    return as_user(kStranger, [&] { return contents(path) == all ? 0 : 1; }).ok();
  };
  CHECK_FALSE(reads());
  store::share_directory(path, FileReaders::kGroup);
  CHECK_FALSE(reads());
  store::share_directory(path, FileReaders::kEveryone);
  CHECK(reads());
  // What is made later can be read as what was there; lock files never can.
  for (const auto& arguments : writing_commands(path)) {
    REQUIRE(run(chirp_command(path.string(), arguments)).ok());
  }
  const auto later = contents(path);
  CHECK(as_user(kStranger, [&] { return contents(path) == later ? 0 : 1; }).ok());
  std::size_t pictures = 0;
  for (const auto& entry : fs::directory_iterator(path / "media")) {
    CHECK((facts_of(entry.path()).st_mode & 0777) == 0644);
    ++pictures;
  }
  CHECK(pictures == 1);
  for (const std::string& file : lock_files()) {
    if (!fs::exists(path / file)) continue;
    CAPTURE(file);
    CHECK((facts_of(path / file).st_mode & 0777) == 0600);
  }
  store::share_directory(path, FileReaders::kOwner);
  CHECK_FALSE(reads());
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    CHECK((facts_of(entry.path()).st_mode & 0077) == 0);
  }
  const Ended refused = as_user(kStranger, [&] {
    const auto code = code_of([&] { store::share_directory(path, FileReaders::kEveryone); });
    return code == ErrorCode::kReadOnly ? 0 : 1;
  });
  CHECK(refused.ok());
}

TEST_CASE("own files: nothing is written through a link in the place of a lock file") {
  for (const std::string& file : lock_files()) {
    for (const bool leads_somewhere : {true, false}) {
      CAPTURE(file);
      CAPTURE(leads_somewhere);
      const TempFolder folder;
      const fs::path path = folder / "chirp";
      make_village(path);
      const fs::path target = folder / "target";
      if (leads_somewhere) write_file(target, "precious");
      fs::remove(path / file);
      fs::create_symlink(target, path / file);
      for (const auto& arguments : writing_commands(path)) {
        const Ended ended = run(chirp_command(path.string(), arguments));
        if (ended.ok()) continue;  // it has no need of this one
        CHECK(ended.status == 1);
        CHECK_MESSAGE(ended.err.find(fs::path(file).filename().string()) != std::string::npos,
                      to_string(ended));
      }
      if (file == "server.lock") {
        const Ended served = run(chirp_command(path.string(), {"serve", "--port", "0"}));
        CHECK_MESSAGE(served.status == 1, to_string(served));
      }
      CHECK(fs::exists(target) == leads_somewhere);
      if (leads_somewhere) CHECK(read_file(target) == "precious");
    }
  }
}

TEST_CASE("own files: root writes nothing through what another user has put into their directory") {
  if (!is_root()) return;
  for (const char* planted : {"engine", "media", "second name"}) {
    CAPTURE(std::string(planted));
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms(0755));
    const fs::path path = folder / "chirp";
    make_village(path);
    const fs::path target = folder / "target";
    if (std::string(planted) == "second name") {
      write_file(target, "precious");
      fs::remove(path / "server.lock");
      fs::create_hard_link(target, path / "server.lock");
    } else {
      fs::rename(path / planted, target);
      fs::create_directory_symlink(target, path / planted);
      REQUIRE(::lchown((path / planted).c_str(), kService, kService) == 0);
    }
    REQUIRE(::chown(path.c_str(), kService, kService) == 0);
    const bool is_folder = fs::is_directory(target);
    const auto before = is_folder ? files_of(target) : std::map<std::string, std::string>{};
    const Ended ended =
        !is_folder ? run(chirp_command(path.string(), {"serve", "--port", "0"}))
                   : run(chirp_command(path.string(), {"post", "add", "a1", "look", "--media",
                                                       path.string() + ".png"}));
    CHECK_MESSAGE(ended.status == 1, to_string(ended));
    if (!is_folder) {
      CHECK(read_file(target) == "precious");
      CHECK(facts_of(target).st_uid == 0);
    } else {
      CHECK(files_of(target) == before);
    }
  }
}

TEST_CASE("own files: what root does in a directory leaves it to its owner") {
  if (!is_root()) return;
  const TempFolder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  const fs::path home = folder / "home";
  fs::create_directory(home);
  REQUIRE(::chown(home.c_str(), kService, kService) == 0);
  const fs::path path = home / "chirp";
  const auto serves = [&](const char* text) {
    const Ended ended = as_user(kService, [&] {
      const auto directory = DataDirectory::open(path);
      (void)publish(*directory, UserNumber{1}, text);
      return directory->try_consumer_right() ? 0 : 1;
    });
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  };
  const auto check_owned = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      CAPTURE(entry.path().string());
      const struct stat facts = facts_of(entry.path());
      CHECK(facts.st_uid == kService);
      CHECK(facts.st_gid == kService);
      CHECK((facts.st_mode & 0777) == (entry.is_directory() ? 0700U : 0600U));
    }
    CHECK(facts_of(path).st_uid == kService);
  };
  REQUIRE(as_user(kService, [&] {
            store::make_data_directory(path, {});
            fill(*DataDirectory::open(path), 4, 1);
            return 0;
          }).ok());
  write_file(path.string() + ".png", png());
  auto commands = writing_commands(path);
  commands.push_back({"backup", (folder / "backup").string()});
  commands.push_back({"restore", (folder / "backup").string(), "--yes"});
  for (const auto& arguments : commands) {
    CAPTURE(arguments[0]);
    const Ended ended = run(chirp_command(path.string(), arguments));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
    check_owned();
    serves("still here");
    check_owned();
  }
  // What an older chirp has left to root.
  for (const char* file : {"engine/data.mdb", "media.lock", "users.db"}) {
    if (fs::exists(path / file)) REQUIRE(::chown((path / file).c_str(), 0, 0) == 0);
  }
  CHECK(run(chirp_command(path.string(), commands[1])).ok());
  check_owned();
}

TEST_CASE("own files: a link on the way to a directory is followed") {
  const TempFolder folder;
  make_village(folder / "chirp");
  fs::create_directory_symlink(folder.path(), folder / "way");
  for (const auto& arguments : writing_commands(folder / "chirp")) {
    const Ended ended = run(chirp_command((folder / "way" / "chirp").string(), arguments));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
  }
}

}  // namespace chirp::test::own_files_test
