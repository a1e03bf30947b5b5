// The statements that programs send to a server, grouped by transaction, as seen by a CutLine that
// cuts nothing.
//
//   SentStatements sent;
//   CutLine line(url, sent.plan());
//   …
//   for (const auto& transaction : sent.transactions()) …
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/cut_line.h"

namespace chirp::test {

class SentStatements {
 public:
  // A transaction's statements in order, without those that begin and end it.
  using Transaction = std::vector<std::string>;

  // Must outlive the line that gets the plan.
  [[nodiscard]] CutPlan plan();
  // Returns all transactions that have begun so far.
  [[nodiscard]] std::vector<Transaction> transactions() const;

 private:
  struct Session {
    std::map<std::string, std::string> prepared{};  // statements by name
    Transaction open{};
    bool is_open = false;  // after a `begin`: the next message belongs to it
  };

  void hear(const Message& message);
  void run(Session& session, const std::string& statement);
  void end(Session& session);

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Session> sessions_;  // by the line's connection numbers
  std::vector<Transaction> done_;
};

// Whether a statement changes rows.
[[nodiscard]] bool writes_rows(std::string_view statement);

}  // namespace chirp::test
