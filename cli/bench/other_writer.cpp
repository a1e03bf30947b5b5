#include "cli/bench/other_writer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/bench/figure.h"
#include "cli/bench/world.h"
#include "cli/isolated.h"
#include "core/error.h"
#include "core/social/accounts.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(2);  // leaves the work some time
constexpr auto kEvery = std::chrono::milliseconds(20);   // for waits_beside()
constexpr std::uint64_t kPostsAUser = 4;
constexpr std::uint64_t kRoundsAlone = 100;

template <class Write>
std::uint32_t timed(const Write& write) {
  const auto start = BenchClock::now();
  write();
  return nanos_since(start);
}

class Writer {
 public:
  Writer(const std::filesystem::path& data, const Clock& clock)
      : directory_(store::DataDirectory::open(data)), clock_(clock), writer_(++writers()) {}

  // Signs a user up and posts a few times, until `done(rounds)`.
  Waits write_until(const std::function<bool(std::uint64_t)>& done) {
    Waits waits;
    for (std::uint64_t round = 0; !done(round); ++round) {
      User author;
      waits.users.push_back(timed([&] { author = add_user(); }));
      put_card(author);
      for (std::uint64_t i = 0; i < kPostsAUser; ++i) {
        waits.posts.push_back(post(author, i));
        std::this_thread::sleep_for(kBetween);
      }
    }
    return waits;
  }

  // The same at a fixed pace, until `over`: posts in one thread, sign-ups in another.
  Waits write_at_pace(const std::atomic<bool>& over) {
    const User author = sign_up();
    Waits waits;
    auto signing_up = std::async(std::launch::async, [&] {
      return every(over, [&](std::uint64_t) { return timed([&] { (void)sign_up(); }); });
    });
    waits.posts = every(over, [&](std::uint64_t n) { return post(author, n); });
    waits.users = signing_up.get();
    return waits;
  }

 private:
  // A slow write delays the next one; missed writes are not made up for.
  template <class Write>
  static std::vector<std::uint32_t> every(const std::atomic<bool>& over, const Write& write) {
    std::vector<std::uint32_t> nanos;
    for (auto due = BenchClock::now(); !over; due = std::max(due + kEvery, BenchClock::now())) {
      std::this_thread::sleep_until(due);
      nanos.push_back(write(nanos.size()));
    }
    return nanos;
  }
  std::uint32_t post(const User& author, std::uint64_t n) {
    const Change post = Publish{author.number, post_text(n), Privacy::kPublic};
    return timed([&] { directory_->storage().write({&post, 1}, clock_.now()); });
  }
  User sign_up() {
    User user = add_user();
    put_card(user);
    return user;
  }
  static std::uint64_t& writers() {
    static std::uint64_t count = 0;
    return count;
  }
  User add_user() {
    NewUser user;
    user.username = fmt::format("w{}_{}", writer_, ++users_);
    user.display_name = user.username;
    return directory_->users().add(user, clock_.now());
  }
  void put_card(const User& user) {
    const Change card = PutCard{social::card_of(user)};
    directory_->storage().write({&card, 1}, clock_.now());
  }

  std::unique_ptr<store::DataDirectory> directory_;
  const Clock& clock_;
  std::uint64_t writer_;  // makes the names unique to this writer
  std::uint64_t users_ = 0;
};

double seconds_of(const std::vector<std::uint32_t>& nanos) {
  double sum = 0;
  for (const std::uint32_t each : nanos) sum += each / 1e9;
  return sum;
}

void print_beside(Context& context, std::string name, std::vector<std::uint32_t> nanos,
                  const std::vector<std::uint32_t>& alone) {
  Figure figure{.name = std::move(name), .policy = "", .operations = nanos.size()};
  if (nanos.empty()) {
    return print_none(context.out(), figure, "the work ended before the writer had its turn");
  }
  figure.seconds = seconds_of(nanos);
  set_percentiles(figure, std::move(nanos));
  figure.reference = "the same writer alone";
  figure.reference_rate = static_cast<double>(alone.size()) / seconds_of(alone);
  print(context.out(), figure);
}

// How long turns were held, in nanoseconds, by purpose.
using Held = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

void send_all(const Held& held, const Send& send) {
  for (const auto& [purpose, nanos] : held) {
    for (const std::uint32_t each : nanos) send(fmt::format("{} {}", purpose, each));
  }
}

void receive(std::string_view line, Held& held) {
  const std::size_t space = line.find(' ');
  check(space != std::string_view::npos, "a line says a purpose and a time");
  const std::string nanos(line.substr(space + 1));
  held[std::string(line.substr(0, space))].push_back(
      static_cast<std::uint32_t>(std::strtoul(nanos.c_str(), nullptr, 10)));
}

// Runs `work` in a process of its own and, once it has begun, `write` in a thread of this one,
// which must end when it learns that the first line has arrived.
void run_beside(const std::function<void(const Send&)>& work,
                const std::function<void(const std::string&)>& receive,
                const std::function<void(const std::atomic<bool>&)>& write) {
  std::atomic<bool> over = false;
  std::future<void> writing;
  Ended ended;
  try {
    ended = run_isolated(
        [&](const Send& send) {
          send("ready");  // forked: both processes may open the directory now
          work(send);
        },
        [&](const std::string& line) {
          if (writing.valid()) {
            over = true;
            return receive(line);
          }
          writing = std::async(std::launch::async, [&] { write(over); });
        });
  } catch (...) {
    over = true;  // the thread is joined
    throw;
  }
  over = true;
  if (!ended.complete || !writing.valid()) {
    throw Error(ErrorCode::kInternal, "The work beside another writer did not end. Try again.");
  }
  writing.get();
}

}  // namespace

void time_other_writer(Context& context, const std::string& what, const std::filesystem::path& data,
                       const std::function<void(const rules::TimedStorage::Told&)>& work) {
  Waits amid;
  Waits alone;
  Held held;
  run_beside(
      [&](const Send& send) {
        work([&](Purpose purpose, std::int64_t ns) {
          held[std::string(rules::name(purpose))].push_back(
              static_cast<std::uint32_t>(std::clamp<std::int64_t>(ns, 0, ~0u)));
        });
        send_all(held, send);
      },
      [&](const std::string& line) { receive(line, held); },
      [&](const std::atomic<bool>& over) {
        Writer writer(data, context.clock());
        amid = writer.write_until([&](std::uint64_t) { return over.load(); });
        alone = writer.write_until([](std::uint64_t n) { return n == kRoundsAlone; });
      });
  print_beside(context, "post amid " + what, std::move(amid.posts), alone.posts);
  print_beside(context, "user amid " + what, std::move(amid.users), alone.users);
  for (auto& [purpose, nanos] : held) {
    print_beside(context, "turn: " + purpose, std::move(nanos), alone.posts);
  }
}

Waits waits_beside(const std::filesystem::path& data, const Clock& clock,
                   const std::function<void(const Send&)>& work,
                   const std::function<void(const std::string&)>& receive) {
  Waits waits;
  run_beside(work, receive, [&](const std::atomic<bool>& over) {
    waits = Writer(data, clock).write_at_pace(over);
  });
  return waits;
}

}  // namespace chirp::cli::bench
