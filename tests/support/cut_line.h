// A proxy socket between programs and a PostgreSQL server that can cut the connection at a chosen
// message: before the server gets it, in the middle of it, or after the server has answered and
// before the answer is delivered.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <thread>

#include "tests/support/temp_folder.h"

namespace chirp::test {

// Everything that a program sends before it waits for an answer: the start of a connection, or a
// round trip. The end of a connection does not count, because no answer follows.
struct Message {
  std::uint64_t number = 0;  // from 1, over all connections
  std::string_view bytes;
  pid_t program = 0;
  std::uint64_t connection = 0;  // from 1
};

struct Cut {
  enum class When : std::uint8_t { kNever, kBefore, kHalf, kAfter };

  When when = When::kNever;
  std::function<void()> act{};  // called at that moment, before the cut
  bool is_silent = false;       // instead of a cut, sends nothing more until the server ends
};

// Called for each message, on the line's own thread. Must not call the line.
using CutPlan = std::function<Cut(const Message&)>;

class CutLine {
 public:
  // `url` is a database of the server, on a Unix socket. Throws std::runtime_error if no socket can
  // be made.
  CutLine(const std::string& url, CutPlan plan);
  ~CutLine();
  CutLine(const CutLine&) = delete;
  CutLine& operator=(const CutLine&) = delete;

  // The address of the same database, through the line.
  [[nodiscard]] std::string through(const std::string& url) const;
  // Replaces the plan.
  void plan(CutPlan plan);
  // The number of messages so far.
  [[nodiscard]] std::uint64_t messages() const;
  // Waits until there are no connections, and the server has ended each session.
  void wait_quiet();

 private:
  struct Connection {
    int program = -1;  // -1 after it is closed
    int server = -1;
    pid_t pid = 0;
    std::uint64_t number = 0;
    bool is_started = false;  // later messages begin with a letter
    std::string said{};       // from the program, an incomplete message
    std::size_t looked = 0;   // bytes of it that are complete parts
    std::string answered{};   // from the server, an incomplete part
    std::string to_server{};
    std::string to_program{};
    bool program_ended = false;
    bool told_end = false;  // the server has received the end
    bool server_ended = false;
    Cut cut{};  // for the current message
    bool was_cut = false;
  };

  void run();
  void take_in();
  void read_program(Connection& connection);
  void read_server(Connection& connection);
  void take_messages(Connection& connection);
  void decide(Connection& connection, std::string message);
  void cut(Connection& connection);
  static void hand_on(Connection& connection);
  [[nodiscard]] static bool is_over(const Connection& connection);

  std::string server_;
  TempFolder folder_;
  int listening_;
  std::array<int, 2> stop_{};
  std::list<Connection> connections_;  // used by the thread only
  std::uint64_t connected_ = 0;        // number so far

  mutable std::mutex mutex_;
  std::condition_variable quiet_;
  CutPlan plan_;
  std::uint64_t messages_ = 0;
  std::size_t open_ = 0;
  std::thread thread_;
};

}  // namespace chirp::test
