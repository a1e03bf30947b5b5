// The thread that watches all sockets: what it does when something happens to one of them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ports/clock.h"
#include "server/http/answer_writer.h"
#include "server/http/answerer.h"
#include "server/http/connection.h"
#include "server/http/front.h"
#include "server/http/listener.h"
#include "server/http/mailbox.h"
#include "server/http/room.h"
#include "server/http/workers.h"
#include "server/limits.h"

namespace chirp::http {

class Front::Loop {
 public:
  Loop(App& app, const Clock& clock, FrontOptions options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // ---- from any thread
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] FrontCounts counts() const;
  void stop() noexcept;

  void start();
  void run();

 private:
  using Moment = Deadlines::Moment;
  enum class Go : std::uint8_t { kOn, kWait, kGone };  // kGone: the connection is no more

  // ---- loop.cpp: what happens
  // Of the thread that looks first.
  void answer_together(Answerer& answerer, std::vector<Job>& jobs);
  void watch(int descriptor, std::uint64_t tag, std::uint32_t events) const;
  void turn();
  [[nodiscard]] int wait_ms() const;
  // Accepts one connection; returns false when none is waiting.
  [[nodiscard]] bool accept_some();
  // Runs a step; if it throws for want of memory, this connection is closed and no other.
  void guarded(Connection& connection, const std::function<void()>& step);
  void on_event(std::uint64_t id, std::uint32_t events);
  void on_note(Note& note);
  void on_due(Connection& connection);
  void begin_stop();
  [[nodiscard]] bool is_over() const;
  void end();

  // ---- loop_room.cpp: what they share
  // Whether one more connection of this peer may be open; another one may be closed for it.
  bool has_place_for(const Peer& peer, std::size_t most);
  void admit_connection(Accepted accepted);
  void drop_connection(Connection& connection);
  // Reserves room for the body of a connection that has asked; returns false without room.
  bool take_body_room(Connection& connection, const Holder& holder);
  [[nodiscard]] std::size_t cost_of(const Outgoing& answer) const;
  void keep_answer(Connection& connection, const Holder& holder);
  void drop_body(ConnectionId id);
  void drop_answer(ConnectionId id);
  // Drops connections without progress while room is short.
  void drop_late();
  void note_room();

  // ---- loop_steps.cpp: what one connection does next
  void pump(Connection& connection);
  Go read_step(Connection& connection);
  Go fill(Connection& connection);
  Go write_step(Connection& connection);
  Go linger_step(Connection& connection);
  Go stream_step(Connection& connection);
  void enter_stage(Connection& connection, RequestReader::Stage stage);
  Go submit(Connection& connection, Arrived& arrived);
  // False if the answer is not to be had at once.
  bool answer_at_once(Connection& connection, Job& job);
  void begin_writing(Connection& connection, Outgoing answer, After after);
  void ask_to_enter(Connection& connection);
  // Answers what is no request, and closes the connection.
  void refuse(Connection& connection, Fault fault);
  void refuse(Connection& connection, const Refusal& why, Method method, Coding coding,
              After after);
  Go after_answer(Connection& connection);
  void end_stream(Connection& connection);
  void close(Connection& connection);
  [[nodiscard]] std::string next_request_id();
  [[nodiscard]] Workers<Job>& lane(Lane lane) { return *lanes_.at(static_cast<std::size_t>(lane)); }

  [[nodiscard]] Moment moment() const { return Moment(clock_.steady_ns()); }

  App& app_;
  const Clock& clock_;
  const FrontOptions options_;
  Listener listener_;
  const std::uint16_t port_;
  std::shared_ptr<Mailbox> mailbox_;
  const std::shared_ptr<void> moves_;  // of the clock, which wake the loop
  int epoll_ = -1;

  SharedState state_;
  bool started_ = false;  // whether the worker threads run
  std::atomic<int> stops_ = 0;
  std::atomic<std::uint64_t> connection_count_ = 0;
  std::atomic<std::uint64_t> body_bytes_ = 0;
  std::atomic<std::uint64_t> answer_bytes_ = 0;
  std::atomic<std::uint64_t> at_once_ = 0;
  std::atomic<std::uint64_t> handed_over_ = 0;
  std::atomic<std::uint64_t> dropped_bodies_ = 0;
  std::atomic<std::uint64_t> dropped_answers_ = 0;
  std::atomic<std::uint64_t> dropped_connections_ = 0;
  std::array<std::unique_ptr<Workers<Job>>, 4> lanes_;  // in the order of Lane
  Workers<Job> looking_{limits::kQueuedRequestsMax, limits::kQueuedRequestsMax};

  // ---- of the thread in run()
  AnswerWriter writer_;
  std::unordered_map<ConnectionId, std::unique_ptr<Connection>> connections_;
  Deadlines deadlines_;
  Moment now_{};
  Moment stop_by_{};
  std::vector<ConnectionId> again_;  // have more to do than they had a turn for
  std::vector<char> scratch_;
  std::size_t connections_max_ = 0;
  std::size_t file_cost_ = 0;  // bytes of room for answers that one of a file takes
  std::unordered_map<std::string, std::size_t> peers_;  // connections by the key of bounded ones
  Room bodies_;                                         // of requests that arrive or are worked on
  Room answers_;                                        // that clients have yet to take
  ConnectionId last_id_ = 0;
  std::uint64_t last_request_ = 0;
  std::string request_prefix_;
};

}  // namespace chirp::http
