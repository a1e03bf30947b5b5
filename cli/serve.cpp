// `chirp serve`: the HTTP server and web page.
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/descriptor.h"
#include "cli/lab_file.h"
#include "cli/service_ports.h"
#include "cli/thread_limits.h"
#include "cli/version.h"
#include "cli/write_all.h"
#include "core/error.h"
#include "core/hot/hot_set.h"
#include "core/ports/snapshot.h"
#include "core/settings.h"
#include "server/hosts.h"
#include "server/service.h"

namespace chirp::cli {
namespace {

// Connections and streams each need a file descriptor.
constexpr rlim_t kFilesWanted = 65'536;

constexpr std::uint64_t kCheckMax = 1'000'000'000;

struct ServeOptions {
  std::string host = "127.0.0.1";
  std::uint64_t port = 8080;
  std::uint64_t threads = 0;
  std::uint64_t cache_mb = hot::kMbDefault;
  std::uint64_t check = 0;
  bool demo = false;
  std::vector<std::string> demo_for;
  std::optional<std::string> lab;
};

void allow_many_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  const rlim_t wanted = std::min(files.rlim_max, kFilesWanted);
  if (files.rlim_cur == RLIM_INFINITY || files.rlim_cur >= wanted) return;
  files.rlim_cur = wanted;
  (void)::setrlimit(RLIMIT_NOFILE, &files);
}

Descriptor opened(int fd) {
  if (fd >= 0) return Descriptor(fd);
  throw Error(ErrorCode::kUnavailable, "There are no file descriptors left to serve with.");
}

sigset_t stop_signals() {
  sigset_t signals{};
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  // Under nohup the server must outlive the terminal. A blocked signal is queued even if it is
  // ignored, so an ignored SIGHUP is not blocked.
  struct sigaction hang_up {};
  ::sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) ::sigaddset(&signals, SIGHUP);
  return signals;
}

// Blocks SIGTERM, SIGINT and SIGHUP, so that they wait until they are taken. Created before all
// other threads, so that none of them is interrupted.
class StopSignals {
 public:
  StopSignals() { ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr); }
  // A later signal ends the process.
  ~StopSignals() { ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] int fd() const { return arrived_.get(); }

 private:
  sigset_t signals_ = stop_signals();
  Descriptor arrived_ = opened(::signalfd(-1, &signals_, SFD_CLOEXEC));
};

// Passes signals on to a service: the first lets it finish its work, the second stops it.
class Stopper {
 public:
  Stopper(const StopSignals& signals, Service& service)
      : watcher_([this, fd = signals.fd(), &service] {
          while (wait(fd)) service.stop();
        }) {}
  ~Stopper() {
    const std::uint64_t one = 1;
    (void)!::write(over_.get(), &one, sizeof one);
    watcher_.join();
  }
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;

 private:
  // False when it has ended.
  [[nodiscard]] bool wait(int signals) const {
    std::array<pollfd, 2> ends{{{signals, POLLIN, 0}, {over_.get(), POLLIN, 0}}};
    while (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) continue;
    if (ends[1].revents != 0) return false;
    signalfd_siginfo info{};
    return ::read(signals, &info, sizeof info) == sizeof info;
  }

  Descriptor over_ = opened(::eventfd(0, EFD_CLOEXEC));
  std::thread watcher_;
};

// Printed even with --quiet: programs wait for the first of these lines.
void announce(const ServeOptions& options, std::uint16_t port) {
  std::string text = fmt::format("Listening on http://{}:{}\n", url_host(options.host), port);
  if (!is_loopback(options.host)) {
    text += fmt::format(
        "Every client that reaches {} can connect, and passwords and tokens are not encrypted. Put "
        "a proxy with TLS, request and connection limits in front: docs/operations.md has one for "
        "nginx.\n",
        options.host);
  }
  if (options.demo) {
    text += fmt::format("The stage is on http://{}:{}/#/stage\n", url_host(options.host), port);
  }
  write_or_leave(STDERR_FILENO, text);
}

// Whether only users of this machine can connect, as far as the settings show. A trusted proxy, or
// a host name besides this machine's own, lets others connect.
bool is_alone(Context& context, const ServeOptions& options) {
  const auto clients = settings::for_clients(*context.engine().storage().snapshot());
  return is_loopback(options.host) && clients.trusted_proxies.empty() && clients.hosts.empty();
}

// The users who may switch the stage. Throws Error{kInvalidArgument} if every client could.
std::optional<DemoOptions> demo_of(Context& context, const ServeOptions& options) {
  if (!options.demo) {
    if (options.demo_for.empty() && !options.lab) return std::nullopt;
    throw Error(ErrorCode::kInvalidArgument, "`--demo-for` and `--lab` need `--demo`.");
  }
  if (options.demo_for.empty() && !is_alone(context, options)) {
    throw Error(ErrorCode::kInvalidArgument,
                "With --demo, every account can switch how posts are delivered. If other machines "
                "can connect, through another address, a proxy (http.trusted_proxies) or another "
                "name (http.hosts), name the accounts that may do so: --demo-for mira");
  }
  DemoOptions demo;
  for (const User& user : context.engine().accounts().resolve_all(options.demo_for)) {
    demo.who.push_back(user.number);
  }
  if (options.lab) demo.lab = read_lab_file(*options.lab);
  return demo;
}

void warn_of_database(Context& context) {
  store::DataDirectory& directory = context.directory();
  Output& out = context.out();
  if (directory.is_in_the_clear()) {
    out.warn(
        "The connection to the database is not encrypted. Add sslmode=verify-full to --data, as in "
        "docs/scale-out.md.");
  }
  for (const std::string& loss : directory.losses()) out.warn(safe(loss));
  for (const std::string& remark : directory.remarks()) out.warn(safe(remark));
  if (directory.place().options().may_lose) {
    out.warn("--unsafe-database: a crash of the database's server may lose acknowledged changes.");
  }
}

// Between two starts a name may pass to another user; an id does not.
void tell_whose_stage(Context& context, const ServeOptions& options) {
  for (const User& user : context.engine().accounts().resolve_all(options.demo_for)) {
    context.out().note(fmt::format(
        "The stage is for @{}. To name this account by its id, which never changes: --demo-for {}",
        safe(user.username), user.id.value));
  }
}

void serve(Context& context, const ServeOptions& options) {
  allow_many_files();
  keep_threads_small();
  const StopSignals signals;
  store::DataDirectory& directory = context.directory();
  check_room_for_threads();
  const auto right = directory.become_server();
  const auto hasher = store::bcrypt_hasher();
  const auto clock = store::serving_clock();
  ServiceOptions service_options;
  service_options.demo = demo_of(context, options);
  service_options.host = options.host;
  service_options.port = static_cast<std::uint16_t>(options.port);
  service_options.threads = static_cast<unsigned>(options.threads);
  service_options.cache_bytes = options.cache_mb << 20;
  service_options.check_every = options.check;
  service_options.version = program_version();
  service_options.requests = context.out().verbosity() == Verbosity::kQuiet
                                 ? Log::Requests::kQuiet
                                 : Log::Requests::kLogged;
  Service service(service_ports(directory, *hasher, *clock), service_options);
  const Stopper stopper(signals, service);
  service.start();
  right->serves_at(fmt::format("{}:{}", url_host(options.host), service.port()));
  announce(options, service.port());
  tell_whose_stage(context, options);
  warn_of_database(context);
  service.run();
}

void run_serve(Context& context, const ServeOptions& options) {
  try {
    serve(context, options);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    throw no_thread();
  }
}

}  // namespace

void add_serve(CommandLine& app) {
  auto [verb, options] = app.verb<ServeOptions>(
      app.root(),
      {"serve",
       "Serve the HTTP API and the web page. Other commands can use the same data meanwhile. "
       "SIGTERM, SIGINT or SIGHUP stops the server after it has answered all accepted requests; a "
       "second signal stops it at once.",
       "chirp serve\n"
       "chirp serve --port 8090 --data ./world\n"
       "chirp serve --host 0.0.0.0 --threads 4 --quiet\n"
       "chirp serve --demo"},
      run_serve);
  verb.add_option(
          "--host", options.host,
          "Address to listen on (default: 127.0.0.1); use another one only behind a proxy with TLS")
      ->option_text("ADDRESS");
  verb.add_option("--port", options.port, "Port (default: 8080; 0: any free port)")
      ->option_text("N")
      ->between(0, 65'535);
  verb.add_option("--threads", options.threads,
                  "Threads that answer reads (default: one per processor)")
      ->option_text("N")
      ->between(1, 256);
  verb.add_option("--cache-mb", options.cache_mb,
                  "Size limit of the hot set, which holds feeds in memory (default: 256; 0: no hot "
                  "set). The system's cache of files is not part of it")
      ->option_text("N")
      ->between(0, hot::kMbMax);
  verb.add_option(
          "--check", options.check,
          "Compare every N-th page of a home feed with its definition, on a thread of low "
          "priority: /metrics counts them, the log shows differences (default: 0, no checks)")
      ->option_text("N")
      ->between(0, kCheckMax);
  verb.add_flag("--demo", options.demo,
                "Show what the engine does on a stage, for a class; the policy and tiers can be "
                "switched there. Without --demo these operations do not exist");
  verb.add_option("--demo-for", options.demo_for,
                  "An account that may see and switch the stage, by name or id; repeat it for more "
                  "(default: every account; required if other machines can connect)")
      ->option_text("NAME")
      ->expected(1)
      ->take_all();
  add_text(verb, "--lab", options.lab, "FILE",
           "The output of chirp lab --json for this world, to show beside the stage");
}

}  // namespace chirp::cli
