// The implementations of the engine's store, for whatever every one of them has to pass.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/ports/storage.h"

namespace chirp::test {

// A fresh, empty store, gone with everything it wrote.
class TestStore {
 public:
  virtual ~TestStore() = default;
  [[nodiscard]] virtual Storage& storage() = 0;
};

struct StoreKind {
  std::string_view name;
  std::unique_ptr<TestStore> (*make)();
  std::uint64_t worlds_share = 1;  // one in so many random worlds: each call may be a round trip
  // Where that makes none: the seed whose run has one all the same, of each two.
  std::uint64_t turn = 0;
};

// The rounds of a test on this kind of store that has `usual` of them; see worlds_or().
[[nodiscard]] std::uint64_t worlds_on(const StoreKind& kind, std::uint64_t usual);

// The model comes first.
[[nodiscard]] std::span<const StoreKind> store_kinds();

// The machine number in the live ids of every store made here.
inline constexpr std::uint32_t kTestMachine = 7;

}  // namespace chirp::test
