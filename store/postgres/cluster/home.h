// Home, the server that accepts writes, among those of an address. Safe to call from any thread.
//
// It is looked up for the first connection, and again when it can't be reached, has become a
// standby, or a standby was promoted. If this process has seen commits that a new home lacks, its
// caches are wrong: all further calls fail, and the process must be restarted.
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

#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// A commit and its writer. No other server's history can contain the same pair.
struct Commit {
  std::int64_t number = 0;
  std::int64_t writer = 0;
};

class Home {
 public:
  explicit Home(Address address);

  // Connects to home. Throws what home_of() throws (servers.h), and Error{kUnavailable} if home
  // lacks a commit that this process has seen. Counts round trips in `trips` too.
  [[nodiscard]] std::unique_ptr<Connection> connect(std::atomic<std::uint64_t>* trips);

  // All servers of the address, in order.
  [[nodiscard]] const std::vector<Address>& servers() const { return servers_; }
  [[nodiscard]] bool has_copies() const { return servers_.size() > 1; }
  // The index of home when it was last looked up; empty before.
  [[nodiscard]] std::optional<std::size_t> found() const;
  // How often home was in doubt. Connections from before a doubt are not reused.
  [[nodiscard]] std::uint64_t doubts() const { return doubts_; }
  // How often another server became home, with all commits that this process has seen. Cached users
  // and tokens must then be read again.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

  // Requests another look-up of home, as when a standby was promoted.
  void doubt();
  // Records that this process has seen a commit. If there was no doubt since the connection was
  // lent, any later home must have it, or is refused.
  void saw(const Commit& commit);

 private:
  [[nodiscard]] std::optional<std::size_t> trusted() const;
  void look();
  void check_it_has_all(Connection& connection, const std::string& name) const;

  Address address_;
  std::vector<Address> servers_;
  std::atomic<std::uint64_t> doubts_{0};
  std::atomic<std::uint64_t> moves_{0};
  std::mutex looking_;            // one look-up at a time
  std::uint64_t failed_ = 0;      // the last failed look-up
  std::exception_ptr failure_{};  // its error
  std::atomic<std::uint64_t> looks_{0};
  mutable std::mutex mutex_;
  std::optional<std::size_t> found_;
  bool is_trusted_ = false;
  Commit seen_;
};

}  // namespace chirp::postgres
