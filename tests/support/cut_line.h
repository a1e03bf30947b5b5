// A socket between programs and a server of PostgreSQL, which hands on what they say and is cut at
// one message or another: before the server has it, in its midst, or once the server has answered
// and before the answer is heard.
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

// All that a program says before it waits for an answer: the start of a connection, or a round
// trip. The end of a connection, which nobody waits for, is none.
struct Message {
  std::uint64_t number = 0;  // from 1, over all connections
  std::string_view bytes;
  pid_t program = 0;
  std::uint64_t connection = 0;  // from 1
};

struct Cut {
  enum class When : std::uint8_t { kNever, kBefore, kHalf, kAfter };

  When when = When::kNever;
  std::function<void()> act{};  // at that moment; the line is cut then
  bool is_silent = false;       // it is not cut, but says nothing more until the server ends
};

// Asked of each message, in a thread of the line's own, and asks nothing of the line.
using CutPlan = std::function<Cut(const Message&)>;

class CutLine {
 public:
  // `url` is of a database of the server, on a Unix socket. Throws std::runtime_error where there
  // can't be a socket.
  CutLine(const std::string& url, CutPlan plan);
  ~CutLine();
  CutLine(const CutLine&) = delete;
  CutLine& operator=(const CutLine&) = delete;

  // The same database, through the line.
  [[nodiscard]] std::string through(const std::string& url) const;
  // From now on, whatever was planned before.
  void plan(CutPlan plan);
  // Messages so far.
  [[nodiscard]] std::uint64_t messages() const;
  // Waits until nobody is connected any more, and the server has ended each session.
  void wait_quiet();

 private:
  struct Connection {
    int program = -1;  // -1 once it is closed
    int server = -1;
    pid_t pid = 0;
    std::uint64_t number = 0;
    bool is_started = false;  // what has a letter in front comes after the start
    std::string said{};       // by the program, no whole message yet
    std::size_t looked = 0;   // so much of it is whole parts of a message
    std::string answered{};   // by the server, no whole part yet
    std::string to_server{};
    std::string to_program{};
    bool program_ended = false;
    bool told_end = false;  // the server knows
    bool server_ended = false;
    Cut cut{};  // of the message under way
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
  std::list<Connection> connections_;  // of the thread alone
  std::uint64_t connected_ = 0;        // so far

  mutable std::mutex mutex_;
  std::condition_variable quiet_;
  CutPlan plan_;
  std::uint64_t messages_ = 0;
  std::size_t open_ = 0;
  std::thread thread_;
};

}  // namespace chirp::test
