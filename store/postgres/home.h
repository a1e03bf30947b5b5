// The server that takes changes, of those that an address names. Safe to call from any thread.
//
// It is looked for when the first connection is made, and again when it can't be reached, has
// become a copy, or a copy takes changes. A process that has seen commits which another server then
// does not have holds what never was, and is refused from then on: it is to be started anew.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/postgres/connection.h"

namespace chirp::postgres {

// A commit, and whose it is: at no other place can the same two come again.
struct Commit {
  std::int64_t number = 0;
  std::int64_t writer = 0;
};

class Home {
 public:
  explicit Home(Address address);

  // Connects to it. Throws what home_of() throws (servers.h), and Error{kUnavailable} for a process
  // that has seen more than it has. `trips` is counted along.
  [[nodiscard]] std::unique_ptr<Connection> connect(std::atomic<std::uint64_t>* trips);

  // All that are named, in their order.
  [[nodiscard]] const std::vector<Address>& servers() const { return servers_; }
  [[nodiscard]] bool has_copies() const { return servers_.size() > 1; }
  // Which of them it was when it was last looked for; empty before.
  [[nodiscard]] std::optional<std::size_t> found() const;
  // How often it was in doubt: connections of before are not used again.
  [[nodiscard]] std::uint64_t doubts() const { return doubts_; }
  // How often it has become another one, which has all that this process has seen of commits. What
  // is kept of users and tokens has to be asked anew then.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

  // Says that a copy takes changes, or whatever else makes another look worth it.
  void doubt();
  // Says that this process has seen a commit. If there was no doubt since the connection was lent
  // that said so, another home has it, too, or is refused.
  void saw(const Commit& commit);

 private:
  [[nodiscard]] std::optional<std::size_t> trusted() const;
  void look();
  void check_it_has_all(Connection& connection, const std::string& name) const;

  Address address_;
  std::vector<Address> servers_;
  std::atomic<std::uint64_t> doubts_{0};
  std::atomic<std::uint64_t> moves_{0};
  std::mutex looking_;            // one at a time
  std::uint64_t failed_ = 0;      // the look that failed last
  std::exception_ptr failure_{};  // and what it threw
  std::atomic<std::uint64_t> looks_{0};
  mutable std::mutex mutex_;
  std::optional<std::size_t> found_;
  bool is_trusted_ = false;
  Commit seen_;
};

}  // namespace chirp::postgres
