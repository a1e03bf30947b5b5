#include "tests/support/progress.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

namespace chirp::test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookEvery{100};
constexpr milliseconds kPauseMost{500};
// A look has seen movement if the others used more than this part of the time since the last one.
// The kernel counts in ticks of ten milliseconds, of which one may belong to the time before.
constexpr int kNoisePart = 20;
constexpr milliseconds kNoiseTick{10};

// What /proc tells of a process or a thread in its file `stat`.
struct TaskStat {
  std::string name;
  char state = 'X';     // it is gone
  milliseconds used{};  // with the children that it has waited for
};

std::string text_of_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t got = 0; (got = ::read(file, block.data(), block.size())) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  ::close(file);
  return text;
}

std::vector<long> numbers_in(std::string_view text) {
  std::vector<long> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    long number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = error == std::errc() ? next : at + 1;
  }
  return numbers;
}

TaskStat stat_of(const std::string& folder) {
  static const long kTicks = ::sysconf(_SC_CLK_TCK);
  const std::string text = text_of_file(folder + "/stat");
  // The name may have brackets and blanks of its own.
  const std::size_t begin = text.find('(');
  const std::size_t end = text.rfind(')');
  TaskStat stat;
  if (begin == std::string::npos || end == std::string::npos || end + 2 >= text.size()) return stat;
  stat.name = text.substr(begin + 1, end - begin - 1);
  stat.state = text[end + 2];
  const std::vector<long> numbers = numbers_in(std::string_view(text).substr(end + 3));
  // Behind the state: ten numbers, then user and system time, then the same of the children.
  if (numbers.size() < 14) return stat;
  const long ticks = numbers[10] + numbers[11] + numbers[12] + numbers[13];
  stat.used = milliseconds(ticks * 1000 / kTicks);
  return stat;
}

// Calls `visit` with each thread's folder in /proc.
void each_thread(const std::string& process, const std::function<void(const std::string&)>& visit) {
  const std::string tasks = process + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), ::closedir);
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] != '.') visit(tasks + '/' + entry->d_name);
  }
}

std::vector<pid_t> tree_below(std::vector<pid_t> roots) {
  for (std::size_t at = 0; at < roots.size(); ++at) {
    each_thread(fmt::format("/proc/{}", roots[at]), [&](const std::string& thread) {
      for (const long child : numbers_in(text_of_file(thread + "/children"))) {
        const auto pid = static_cast<pid_t>(child);
        if (std::ranges::find(roots, pid) == roots.end()) roots.push_back(pid);
      }
    });
  }
  return roots;
}

Watched unwatched;
Watched* watched_run = &unwatched;

pid_t root_process() {
  const pid_t root = watched().root.load();
  return root > 0 ? root : ::getpid();
}

milliseconds own_time() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return milliseconds(used.tv_sec * 1000 + used.tv_nsec / 1'000'000);
}

struct Movement {
  milliseconds used{};
  bool runs = false;  // or waits for a processor or a disk
};

Movement look_around() {
  const std::string self = fmt::format("/{}", ::gettid());
  std::vector<pid_t> roots{root_process()};
  for (const std::atomic<pid_t>& other : watched().others) {
    if (other != 0) roots.push_back(other);
  }
  Movement seen{-own_time()};
  // Without descriptors nothing can be seen; the process that watches the run (watched_run.h)
  // decides.
  if (text_of_file("/proc/self/stat").empty()) return {seen.used, true};
  for (const pid_t pid : tree_below(std::move(roots))) {
    if (pid == watched().root) continue;  // it only looks, too
    const std::string folder = fmt::format("/proc/{}", pid);
    seen.used += stat_of(folder).used;
    if (seen.runs) continue;
    each_thread(folder, [&](const std::string& thread) {
      if (thread.ends_with(self)) return;
      // A debugger decides when its process continues.
      if (std::string_view("RDt").find(stat_of(thread).state) != std::string_view::npos) {
        seen.runs = true;
      }
    });
  }
  return seen;
}

}  // namespace

void Balance::add(milliseconds passed, milliseconds used, bool runs) {
  used_ += used;
  // A waiter that was held up itself has not seen more for it.
  const milliseconds part = std::min(passed, kPauseMost);
  const bool moved = runs || used > std::max(part / kNoisePart, kNoiseTick);
  quiet_ = moved ? std::max(quiet_ - part, milliseconds(0)) : quiet_ + part;
}

std::string Balance::words(const PatienceBounds& bounds) const {
  if (used_ >= bounds.processor) {
    return fmt::format("{} ms of processor time led nowhere", used_.count());
  }
  return fmt::format("nothing moved for {} ms", quiet_.count());
}

Patience::Patience(PatienceBounds bounds) : bounds_(bounds) {
  bounds_.processor *= std::max(1U, std::thread::hardware_concurrency());
}

milliseconds Patience::pause() const {
  const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
  return std::clamp(waited / 16, milliseconds(1), kPauseMost);
}

bool Patience::lasts() {
  const Clock::time_point now = Clock::now();
  const auto passed = std::chrono::duration_cast<milliseconds>(now - looked_);
  if (passed < kLookEvery) return true;
  looked_ = now;
  const Movement seen = look_around();
  const milliseconds before = seen_.value_or(seen.used);
  seen_ = seen.used;
  balance_.add(passed, std::max(seen.used - before, milliseconds(0)), seen.runs);
  return balance_.is_within(bounds_);
}

bool Patience::rests() {
  (void)::poll(nullptr, 0, static_cast<int>(pause().count()));
  return lasts();
}

bool until_ready(std::span<pollfd> ends, Patience& patience) {
  for (;;) {
    const int ready = ::poll(ends.data(), ends.size(), static_cast<int>(patience.pause().count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (!patience.lasts()) return false;
  }
}

bool until_ready(int descriptor, short events) {
  pollfd end{descriptor, events, 0};
  Patience patience;
  return until_ready({&end, 1}, patience);
}

void count_also(pid_t process) {
  for (std::atomic<pid_t>& other : watched().others) {
    pid_t before = 0;
    if (other.compare_exchange_strong(before, process) || before == process) return;
  }
  throw std::runtime_error("too many processes of others");
}

void share_watched(Watched& shared) { watched_run = &shared; }

Watched& watched() { return *watched_run; }

std::string described_processes() {
  std::string text;
  for (const pid_t pid : tree_below({root_process()})) {
    const std::string folder = fmt::format("/proc/{}", pid);
    text += fmt::format("  {} {}:", pid, stat_of(folder).name);
    each_thread(folder, [&](const std::string& thread) {
      text += fmt::format(" {}", stat_of(thread).state);
    });
    text += '\n';
  }
  return text;
}

std::vector<pid_t> processes_below(pid_t process) {
  std::vector<pid_t> tree = tree_below({process});
  tree.erase(tree.begin());
  return tree;
}

std::vector<pid_t> processes_below_root() { return processes_below(root_process()); }

}  // namespace chirp::test
