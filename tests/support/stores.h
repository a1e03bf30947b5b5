// The implementations of the engine's store, for tests that each must pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/ports/storage.h"

namespace chirp::test {

// A new, empty store, removed with its data at the end.
class TestStore {
 public:
  virtual ~TestStore() = default;
  [[nodiscard]] virtual Storage& storage() = 0;
};

struct StoreKind {
  std::string_view name;
  std::unique_ptr<TestStore> (*make)();
  std::uint64_t worlds_share = 1;  // divides random worlds: each call may be a round trip
  // If the share is below one world: which of two seeds still runs one.
  std::uint64_t turn = 0;
};

// The rounds on this kind of store for a test with `usual` rounds; see worlds_or().
[[nodiscard]] std::uint64_t worlds_on(const StoreKind& kind, std::uint64_t usual);

// The model is the first one.
[[nodiscard]] std::span<const StoreKind> store_kinds();
[[nodiscard]] const StoreKind& lmdb_kind();

// The machine number in the live ids of every store made here.
inline constexpr std::uint32_t kTestMachine = 7;

}  // namespace chirp::test
