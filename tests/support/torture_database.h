// Worlds in databases, whose commands are hit at what they say to the server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/postgres_server.h"
#include "tests/support/torture_scene.h"

namespace chirp::test {

// A mode is what happens and when: `kill`, `cut` (the line) or `stop` (the server, which then is
// started again), `:before` the server has what is said, once it has `:half` of it, or `:after` it
// has answered and before that is heard. What counts are Messages (tests/support/cut_line.h).
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
