// Worlds in databases, whose commands fail at messages to the server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/postgres_server.h"
#include "tests/support/torture_scene.h"

namespace chirp::test {

// A mode is a fault and its moment. Faults: `kill`, `cut` (the line), `stop` (the server, which is
// restarted). Moments: `:before` the server gets a Message (cut_line.h), when it has `:half` of it,
// or `:after` it has answered and before the answer arrives. Messages are counted.
class DatabaseWorld final : public TortureWorld {
 public:
  explicit DatabaseWorld(std::uint64_t seed);

  [[nodiscard]] std::unique_ptr<WorldCopy> copy(const Deed& deed) const override;
  [[nodiscard]] std::string counting(const std::string& mode) const override;
  [[nodiscard]] bool can_find_out(const std::string& mode) const override;

 private:
  PostgresDatabase database_;
};

}  // namespace chirp::test
