// Both stores of an engine, for tests of a whole engine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::test {

// New and empty, removed with their data at the end.
class WorldStores {
 public:
  virtual ~WorldStores() = default;
  [[nodiscard]] virtual Storage& storage() = 0;
  [[nodiscard]] virtual UserDirectory& users() = 0;
};

struct WorldKind {
  std::string_view name;
  std::unique_ptr<WorldStores> (*make)();
  // Divides the number of worlds in a test, because each call is a round trip.
  std::uint64_t share = 1;

  [[nodiscard]] bool is_database() const { return name.starts_with("postgres"); }
};

// In memory, which is the first; in a folder; and in databases, if PostgreSQL is installed.
[[nodiscard]] std::span<const WorldKind> world_kinds();

// The kind in CHIRP_STORES, for tests with worlds of one kind; default: in memory. Throws
// std::runtime_error for an unknown kind.
[[nodiscard]] const WorldKind& named_world_kind();

// Whether the `number`-th of many worlds is in the share of this kind; each CHIRP_SWEEP_FROM
// selects another share.
[[nodiscard]] bool is_in_share(const WorldKind& kind, std::uint64_t number);

}  // namespace chirp::test
