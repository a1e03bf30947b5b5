#include "server/http/loop.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "server/http/descriptors.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Tags beside the ids of connections, which begin above them.
constexpr std::uint64_t kListenerTag = 0;
constexpr std::uint64_t kMailboxTag = 1;
constexpr ConnectionId kFirstId = 2;

constexpr std::size_t kEventsAtOnce = 32;  // answers to them are sent together
constexpr int kAcceptsAtOnce = 64;
constexpr std::size_t kScratchBytes = 64 << 10;
constexpr milliseconds kLinger{2'000};

std::array<milliseconds, kDeadlines> spans_of(const FrontOptions& options) {
  return {milliseconds{0},       options.idle_deadline,  options.head_deadline,
          options.body_deadline, options.write_deadline, kLinger};
}

}  // namespace

Front::Loop::Loop(App& app, const Clock& clock, FrontOptions options)
    : app_(app),
      clock_(clock),
      options_(std::move(options)),
      listener_(options_.host, options_.port),
      port_(listener_.port()),
      mailbox_(std::make_shared<Mailbox>(options_.stream_bytes)),
      moves_(clock.when_moved([mailbox = mailbox_] { mailbox->wake(); })),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      writer_(clock, duration_cast<seconds>(options_.idle_deadline)),
      deadlines_(spans_of(options_)),
      scratch_(kScratchBytes),
      bodies_(options_.bodies, options_.hurry),
      answers_(options_.answers, milliseconds{0}),
      last_id_(kFirstId),
      request_prefix_(fmt::format("{:x}", clock.now().ms)) {
  const Descriptors shares = descriptors();
  connections_max_ = std::min(options_.connections, shares.connections);
  // A file counts against the bound of bytes as a share of the descriptors, so that this bounds the
  // descriptors as well.
  file_cost_ = std::max(limits::kPieceBytes, options_.answers.all / shares.files);
  if (epoll_ < 0) {
    throw Error(ErrorCode::kUnavailable,
                fmt::format("Can't watch sockets: {}. Allow more open files (ulimit -n).",
                            std::strerror(errno)));
  }
  for (const auto queue_max : {limits::kQueuedRequestsMax, limits::kQueuedRequestsMax,
                               limits::kPasswordQueueMax, limits::kQueuedRequestsMax}) {
    static_assert(static_cast<int>(Lane::kPassword) == 2 && static_cast<int>(Lane::kPlain) == 3);
    *std::find(lanes_.begin(), lanes_.end(), nullptr) = std::make_unique<Workers<Job>>(queue_max);
  }
  watch(mailbox_->descriptor(), kMailboxTag, EPOLLIN);
  watch(listener_.descriptor(), kListenerTag, EPOLLIN);
}

Front::Loop::~Loop() {
  end();
  ::close(epoll_);
}

FrontCounts Front::Loop::counts() const {
  const auto queued = [&](Lane lane) {
    return std::uint64_t{lanes_.at(static_cast<std::size_t>(lane))->queued()};
  };
  const std::uint64_t queued_reads = queued(Lane::kRead) + queued(Lane::kPlain) + looking_.queued();
  return {connection_count_.load(), state_.streams.load(),   queued_reads,
          queued(Lane::kWrite),     queued(Lane::kPassword), body_bytes_.load(),
          answer_bytes_.load(),     at_once_.load(),         handed_over_.load(),
          dropped_bodies_.load(),   dropped_answers_.load(), dropped_connections_.load()};
}

void Front::Loop::stop() noexcept {
  stops_.fetch_add(1);
  mailbox_->wake();
}

void Front::Loop::run() {
  start();
  now_ = moment();
  while (!is_over()) turn();
  end();
}

void Front::Loop::start() {
  if (started_) return;
  started_ = true;
  const auto make_answerer = [this] {
    return std::make_shared<Answerer>(app_, clock_, state_, mailbox_,
                                      duration_cast<seconds>(options_.idle_deadline));
  };
  // Called by the threads themselves, later than this returns.
  const auto make = [make_answerer]() -> Workers<Job>::Work {
    return [answerer = make_answerer()](std::vector<Job>& jobs) {
      for (Job& job : jobs) answerer->work(job);
    };
  };
  lane(Lane::kRead).start(options_.read_threads, make);
  lane(Lane::kWrite).start(options_.write_threads, make);
  lane(Lane::kPassword).start(options_.password_threads, make);
  lane(Lane::kPlain).start(options_.plain_threads, make);
  if (!options_.looks_first) return;
  looking_.start(1, [this, make_answerer]() -> Workers<Job>::Work {
    return [this, answerer = make_answerer()](std::vector<Job>& jobs) {
      answer_together(*answerer, jobs);
    };
  });
}

void Front::Loop::answer_together(Answerer& answerer, std::vector<Job>& jobs) {
  answerer.work_at_once(jobs);
  for (Job& job : jobs) {
    ++(job.answer ? at_once_ : handed_over_);
    if (!job.answer && !lane(job.lane).offer(job)) answerer.refuse(job);
  }
}

void Front::Loop::watch(int descriptor, std::uint64_t tag, std::uint32_t events) const {
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag;
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    throw Error(ErrorCode::kUnavailable,
                fmt::format("Can't watch a socket: {}.", std::strerror(errno)));
  }
}

// One look at everything: sockets, notes, deadlines.
void Front::Loop::turn() {
  std::array<epoll_event, kEventsAtOnce> events{};
  const int count = ::epoll_wait(epoll_, events.data(), kEventsAtOnce, wait_ms());
  now_ = moment();
  bool has_notes = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events.at(static_cast<std::size_t>(i));
    if (event.data.u64 == kListenerTag) {
      (void)accept_some();
    } else if (event.data.u64 == kMailboxTag) {
      has_notes = true;
    } else {
      on_event(event.data.u64, event.events);
    }
  }
  if (has_notes) {
    for (Note& note : mailbox_->take()) on_note(note);
  }
  for (const ConnectionId id : std::exchange(again_, {})) on_event(id, 0);
  while (Connection* late = deadlines_.due(now_)) on_due(*late);
  drop_late();
  note_room();
  if (stops_.load() > 0 && !state_.stopping.load()) begin_stop();
}

int Front::Loop::wait_ms() const {
  if (!again_.empty()) return 0;
  auto next = deadlines_.next();
  for (const Room* room : {&bodies_, &answers_}) {
    if (const auto late = room->next_late(options_.hurry))
      next = next ? std::min(*next, *late) : late;
  }
  if (state_.stopping.load()) next = next ? std::min(*next, stop_by_) : stop_by_;
  if (!next) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*next - moment()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

bool Front::Loop::accept_some() {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    auto accepted = listener_.accept();
    if (!accepted) return false;
    admit_connection(*std::move(accepted));
  }
  return true;
}

void Front::Loop::on_event(std::uint64_t id, std::uint32_t events) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  Connection& connection = *found->second;
  if ((events & ~std::uint32_t{EPOLLOUT}) != 0) connection.readable = true;
  if ((events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0) connection.hung_up = true;
  guarded(connection, [&] { pump(connection); });
}

void Front::Loop::guarded(Connection& connection, const std::function<void()>& step) {
  const ConnectionId id = connection.id;
  try {
    step();
  } catch (...) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) return;
    // A worker's answer ends the others.
    if (found->second->state != Connection::State::kWorking) close(*found->second);
  }
}

void Front::Loop::on_note(Note& note) {
  const auto found = connections_.find(note.connection);
  if (found == connections_.end()) return;
  Connection& connection = *found->second;
  switch (note.kind) {
    case Note::Kind::kEntered:
      if (take_body_room(connection, note.holder)) {
        connection.state = Connection::State::kReading;
        connection.reader.let_in();
      } else {
        refuse(connection, Fault{503, "Too many bodies are being sent. Try again later."});
      }
      break;
    case Note::Kind::kAnswered:
      bodies_.leave(connection.id);
      begin_writing(connection, std::move(note.unsent), note.after);
      keep_answer(connection, note.holder);
      break;
    case Note::Kind::kStreaming:
      bodies_.leave(connection.id);
      connection.state = Connection::State::kStreaming;
      connection.outlet = std::move(note.outlet);
      if (state_.stopping.load()) connection.outlet->close();
      break;
    case Note::Kind::kBehind:
    case Note::Kind::kOver:
      if (connection.state != Connection::State::kStreaming) return;
      break;
  }
  guarded(connection, [&] { pump(connection); });
}

void Front::Loop::on_due(Connection& connection) {
  const bool reads = connection.state == Connection::State::kReading;
  const bool is_idle = reads && connection.reader.held_bytes() == 0;
  if (is_idle && connection.deadline == Deadline::kIdle && has_unread(connection)) {
    // Its request came in time, and is read at the next look.
    connection.readable = true;
    deadlines_.set(connection, Deadline::kHead, now_);
    again_.push_back(connection.id);
    return;
  }
  if (!reads || is_idle) {
    close(connection);
    return;
  }
  guarded(connection, [&] {
    refuse(connection, Fault{408, "The request did not arrive in time."});
    pump(connection);
  });
}

void Front::Loop::begin_stop() {
  state_.stopping.store(true);
  stop_by_ = now_ + options_.stop_deadline;
  // Connections that were made before the stop are served.
  while (accept_some()) {
  }
  listener_.close();
  std::vector<ConnectionId> ids;
  for (const auto& [id, connection] : connections_) ids.push_back(id);
  for (const ConnectionId id : ids) {
    const auto found = connections_.find(id);
    if (found == connections_.end()) continue;
    Connection& connection = *found->second;
    if (connection.outlet) connection.outlet->close();
    connection.readable = true;  // what has arrived and not been read was accepted, too
    guarded(connection, [&] { pump(connection); });
  }
}

bool Front::Loop::is_over() const {
  if (stops_.load() > 1) return true;
  return state_.stopping.load() && (connections_.empty() || moment() >= stop_by_);
}

void Front::Loop::end() {
  state_.stopping.store(true);
  listener_.close();
  if (options_.ending) options_.ending();
  // First those who use the sockets.
  looking_.stop();
  for (const auto& lane : lanes_) lane->stop();
  for (Note& note : mailbox_->take()) {
    const auto found = connections_.find(note.connection);
    if (found == connections_.end() || !note.outlet) continue;
    found->second->outlet = std::move(note.outlet);
  }
  while (!connections_.empty()) close(*connections_.begin()->second);
}

Front::Front(App& app, const Clock& clock, FrontOptions options)
    : loop_(std::make_unique<Loop>(app, clock, std::move(options))) {}

Front::~Front() = default;

std::uint16_t Front::port() const { return loop_->port(); }

FrontCounts Front::counts() const { return loop_->counts(); }

void Front::start() { loop_->start(); }

void Front::run() { loop_->run(); }

void Front::stop() noexcept { loop_->stop(); }

}  // namespace chirp::http
