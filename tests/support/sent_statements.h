// The statements that programs send to a server, by transactions: what a CutLine that cuts nothing
// has seen.
//
//   SentStatements sent;
//   CutLine line(url, sent.plan());
//   …
//   for (const auto& transaction : sent.transactions()) …
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/cut_line.h"

namespace chirp::test {

class SentStatements {
 public:
  // The statements of one transaction in their order, without those that begin and end it.
  using Transaction = std::vector<std::string>;

  // Outlives the line that it is given to.
  [[nodiscard]] CutPlan plan();
  // All that have begun so far.
  [[nodiscard]] std::vector<Transaction> transactions() const;

 private:
  struct Session {
    std::map<std::string, std::string> prepared{};  // statements by their names
    Transaction open{};
    bool is_open = false;  // by a `begin`: it goes on with the next message
  };

  void hear(const Message& message);
  void run(Session& session, const std::string& statement);
  void end(Session& session);

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Session> sessions_;  // by the line's connections
  std::vector<Transaction> done_;
};

// Whether a statement changes rows.
[[nodiscard]] bool writes_rows(std::string_view statement);

}  // namespace chirp::test
