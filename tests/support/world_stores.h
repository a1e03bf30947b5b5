// Both stores that an engine is over, for tests of a whole one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::test {

// Fresh and empty, gone with everything they wrote.
class WorldStores {
 public:
  virtual ~WorldStores() = default;
  [[nodiscard]] virtual Storage& storage() = 0;
  [[nodiscard]] virtual UserDirectory& users() = 0;
};

struct WorldKind {
  std::string_view name;
  std::unique_ptr<WorldStores> (*make)();
  // Where each call is a round trip, a test of many worlds has one of so many.
  std::uint64_t share = 1;

  [[nodiscard]] bool is_database() const { return name.starts_with("postgres"); }
};

// In memory, which comes first, in a folder, and in databases where there is PostgreSQL.
[[nodiscard]] std::span<const WorldKind> world_kinds();

// The kind that CHIRP_STORES names, for tests that make worlds of one kind; in memory if it names
// none. Throws std::runtime_error for a kind that there is not.
[[nodiscard]] const WorldKind& named_world_kind();

// Whether the `number`-th of many worlds of this kind is one of its share, which is another with
// each CHIRP_SWEEP_FROM.
[[nodiscard]] bool is_in_share(const WorldKind& kind, std::uint64_t number);

}  // namespace chirp::test
