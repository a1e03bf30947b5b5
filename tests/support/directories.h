// The implementations of the user directory, for tests that each must pass.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/ports/user_directory.h"

namespace chirp::test {

// A new, empty directory, removed with its files at the end.
class TestDirectory {
 public:
  virtual ~TestDirectory() = default;
  [[nodiscard]] virtual UserDirectory& users() = 0;
};

struct DirectoryKind {
  std::string_view name;
  std::unique_ptr<TestDirectory> (*make)();
};

// The model is the first one.
[[nodiscard]] std::span<const DirectoryKind> directory_kinds();

// The machine number in the live ids of every directory made here.
inline constexpr std::uint32_t kDirectoryMachine = 7;
inline constexpr std::string_view kDirectoryUuid = "6f1c9a52-58c4-4c1e-9f0a-2b7d4e83a1c5";

inline constexpr Time kNow{1'767'225'600'000};  // 2026-01-01

// Runs a test on an empty directory of each kind, and checks the directory afterwards.
void on_each_directory(const std::function<void(UserDirectory&)>& test);

[[nodiscard]] NewUser named(const std::string& username);
[[nodiscard]] LoadedUser loaded(std::uint64_t source,
                                std::optional<std::string> username = std::nullopt);
LoadedUserResult load_one(UserDirectory& users, const LoadedUser& user, Time now = kNow);

}  // namespace chirp::test
