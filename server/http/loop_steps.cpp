// What one connection does next, until it has to wait.
#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "server/http/loop.h"
#include "server/limits.h"

namespace chirp::http {
namespace {

constexpr int kStepsAtOnce = 32;  // then others have their turn

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

void Front::Loop::pump(Connection& connection) {
  for (int step = 0; step < kStepsAtOnce; ++step) {
    Go go = Go::kWait;
    switch (connection.state) {
      case Connection::State::kReading:
        go = read_step(connection);
        break;
      case Connection::State::kWorking:
        return;
      case Connection::State::kWriting:
        go = write_step(connection);
        break;
      case Connection::State::kStreaming:
        go = stream_step(connection);
        break;
      case Connection::State::kLingering:
        go = linger_step(connection);
        break;
    }
    if (go != Go::kOn) return;
  }
  again_.push_back(connection.id);
}

Front::Loop::Go Front::Loop::read_step(Connection& connection) {
  auto next = connection.reader.next();
  if (auto* fault = std::get_if<Fault>(&next)) {
    refuse(connection, std::move(*fault));
    return Go::kOn;
  }
  if (auto* arrived = std::get_if<Arrived>(&next)) {
    return submit(connection, *arrived);
  }
  const auto stage = std::get<RequestReader::Stage>(next);
  if (stage == RequestReader::Stage::kEntry) {
    ask_to_enter(connection);
    return Go::kOn;
  }
  enter_stage(connection, stage);
  const Go filled = fill(connection);
  if (filled != Go::kWait) return filled;
  if (state_.stopping.load() && connection.reader.held_bytes() == 0) {
    close(connection);
    return Go::kGone;
  }
  if (connection.reader.takes_continue()) (void)send_some(connection.socket, kContinue);
  return Go::kWait;
}

Front::Loop::Go Front::Loop::fill(Connection& connection) {
  if (!connection.readable) return Go::kWait;
  const std::size_t room = std::min(connection.reader.room(), scratch_.size());
  const ssize_t count = ::recv(connection.socket, scratch_.data(), room, 0);
  if (count > 0) {
    connection.reader.add({scratch_.data(), static_cast<std::size_t>(count)});
    bodies_.progress(connection.id, now_);
    // The socket is empty now; epoll reports what comes later.
    if (static_cast<std::size_t>(count) < room && !connection.hung_up) connection.readable = false;
    return Go::kOn;
  }
  if (count < 0 && errno == EINTR) return Go::kOn;
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    connection.readable = false;
    return Go::kWait;
  }
  close(connection);
  return Go::kGone;
}

// The deadline is of the whole stage: bytes that trickle in don't move it.
void Front::Loop::enter_stage(Connection& connection, RequestReader::Stage stage) {
  using Stage = RequestReader::Stage;
  // A new connection has to send a head; it may not idle.
  if (stage == Stage::kNothing && connection.requests == 0) stage = Stage::kHead;
  if (connection.stage == stage) return;
  connection.stage = stage;
  const Deadline deadline = stage == Stage::kNothing ? Deadline::kIdle
                            : stage == Stage::kHead  ? Deadline::kHead
                                                     : Deadline::kBody;
  deadlines_.set(connection, deadline, now_);
}

Front::Loop::Go Front::Loop::submit(Connection& connection, Arrived& arrived) {
  ++connection.requests;
  bodies_.settle(connection.id);  // until it is answered
  if (connection.requests >= limits::kRequestsPerConnection) arrived.after = After::kClose;
  Job job{Job::What::kAnswer, connection.id,  connection.socket, std::move(arrived.request),
          arrived.after,      arrived.coding, arrived.lane};
  job.request.id = next_request_id();
  job.request.arrived_ns = clock_.steady_ns();
  // Compressing takes longer than a worker does to wake up.
  const bool may_be_at_once = arrived.may_be_at_once && job.coding == Coding::kIdentity;
  if (may_be_at_once && !options_.looks_first && answer_at_once(connection, job)) return Go::kWait;
  deadlines_.set(connection, Deadline::kNone, now_);
  Workers<Job>& workers = may_be_at_once && options_.looks_first ? looking_ : lane(arrived.lane);
  if (workers.offer(job)) {
    connection.state = Connection::State::kWorking;
    return Go::kOn;
  }
  const Refusal why{503, "The server is busy. Try again later.", job.request.address,
                    job.request.id};
  refuse(connection, why, job.request.method, job.coding, job.after);
  return Go::kOn;
}

bool Front::Loop::answer_at_once(Connection& connection, Job& job) {
  auto response = app_.answer_at_once(job.request);
  if (!response) {
    ++handed_over_;
    return false;
  }
  ++at_once_;
  bodies_.leave(connection.id);
  if (state_.stopping.load()) job.after = After::kClose;
  begin_writing(connection,
                Outgoing(writer_.write(job.request.method, job.coding, job.after, *response)),
                job.after);
  connection.untried = std::move(response->holder);
  // Sent behind what else is to be done now: a client whose answers come one after the other is
  // woken once, not for each.
  again_.push_back(connection.id);
  return true;
}

void Front::Loop::begin_writing(Connection& connection, Outgoing answer, After after) {
  connection.state = Connection::State::kWriting;
  connection.after = after;
  connection.out = std::move(answer);
  deadlines_.set(connection, Deadline::kWrite, now_);
}

// Nothing is read from the connection before the answer: a body that is refused is not read.
void Front::Loop::ask_to_enter(Connection& connection) {
  Job job{Job::What::kEnter, connection.id,
          connection.socket, connection.reader.bodiless(),
          After::kClose,     connection.reader.coding()};
  job.request.id = next_request_id();
  job.request.arrived_ns = clock_.steady_ns();
  deadlines_.set(connection, Deadline::kNone, now_);
  if (lane(Lane::kRead).offer(job)) {
    connection.state = Connection::State::kWorking;
  } else {
    refuse(connection, Fault{503, "The server is busy. Try again later."});
  }
}

void Front::Loop::refuse(Connection& connection, Fault fault) {
  const Refusal why{fault.status, std::move(fault.detail), connection.reader.address(),
                    next_request_id()};
  const Method method = connection.reader.method();
  connection.reader.drop();
  refuse(connection, why, method, Coding::kIdentity, After::kClose);
}

void Front::Loop::refuse(Connection& connection, const Refusal& why, Method method, Coding coding,
                         After after) {
  if (state_.stopping.load()) after = After::kClose;
  Response response = refusal(app_, why);
  connection.out = Outgoing(writer_.write(method, coding, after, response));
  connection.after = after;
  connection.state = Connection::State::kWriting;
  bodies_.leave(connection.id);
  deadlines_.set(connection, Deadline::kWrite, now_);
}

Front::Loop::Go Front::Loop::write_step(Connection& connection) {
  std::size_t sent = 0;
  const auto progress = connection.out.send(connection.socket, sent);
  if (progress == Outgoing::Progress::kGone) {
    close(connection);
    return Go::kGone;
  }
  const auto untried = std::exchange(connection.untried, std::nullopt);
  if (progress == Outgoing::Progress::kDone) return after_answer(connection);
  if (untried) keep_answer(connection, *untried);
  // The deadline begins anew with any progress.
  if (sent > 0) {
    deadlines_.set(connection, Deadline::kWrite, now_);
    answers_.progress(connection.id, now_);
    answers_.resize(connection.id, cost_of(connection.out));
  }
  return progress == Outgoing::Progress::kMoved ? Go::kOn : Go::kWait;
}

Front::Loop::Go Front::Loop::after_answer(Connection& connection) {
  connection.out = {};
  answers_.leave(connection.id);
  if (connection.after == After::kKeep) {
    connection.state = Connection::State::kReading;
    connection.stage = RequestReader::Stage::kNothing;
    deadlines_.set(connection, Deadline::kIdle, now_);
    return Go::kOn;
  }
  // Closing with bytes unread would make the kernel drop the answer as well.
  ::shutdown(connection.socket, SHUT_WR);
  connection.state = Connection::State::kLingering;
  deadlines_.set(connection, Deadline::kLinger, now_);
  return Go::kOn;
}

Front::Loop::Go Front::Loop::linger_step(Connection& connection) {
  if (!connection.readable) return Go::kWait;
  const ssize_t count = ::recv(connection.socket, scratch_.data(), scratch_.size(), 0);
  if (count > 0 || (count < 0 && errno == EINTR)) return Go::kOn;
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    connection.readable = false;
    return Go::kWait;
  }
  close(connection);
  return Go::kGone;
}

Front::Loop::Go Front::Loop::stream_step(Connection& connection) {
  // What a client sends on a stream is ignored; only that it hangs up matters.
  const Go heard = linger_step(connection);
  if (heard != Go::kWait) return heard;
  switch (connection.outlet->flush()) {
    case StreamOutlet::Progress::kNothingLeft:
      deadlines_.set(connection, Deadline::kNone, now_);
      return Go::kWait;
    case StreamOutlet::Progress::kMoved:
      deadlines_.set(connection, Deadline::kWrite, now_);
      return Go::kWait;
    case StreamOutlet::Progress::kStuck:
      if (connection.deadline != Deadline::kWrite) {
        deadlines_.set(connection, Deadline::kWrite, now_);
      }
      return Go::kWait;
    case StreamOutlet::Progress::kEnded:
      end_stream(connection);
      connection.after = After::kClose;
      return after_answer(connection);
    case StreamOutlet::Progress::kFailed:
      break;
  }
  close(connection);
  return Go::kGone;
}

void Front::Loop::end_stream(Connection& connection) {
  if (!connection.outlet) return;
  connection.outlet->detach();
  connection.outlet.reset();
  state_.streams.fetch_sub(1);
}

void Front::Loop::close(Connection& connection) {
  end_stream(connection);
  bodies_.leave(connection.id);
  answers_.leave(connection.id);
  if (connection.peer.bounded && --peers_[connection.peer.key] == 0) {
    peers_.erase(connection.peer.key);
  }
  ::close(connection.socket);
  deadlines_.remove(connection);
  connections_.erase(connection.id);
  connection_count_.store(connections_.size());
}

std::string Front::Loop::next_request_id() {
  return fmt::format("{}-{}", request_prefix_, ++last_request_);
}

}  // namespace chirp::http
