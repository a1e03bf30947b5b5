// A small data directory to damage without the engine, and to examine and repair.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/doctor/doctor.h"
#include "store/data_directory.h"
#include "store/lmdb/env.h"
#include "tests/support/data_directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// A data directory opened with an engine.
class Opened {
 public:
  explicit Opened(const std::filesystem::path& path) : Opened(store::DataPlace(path)) {}
  explicit Opened(const store::DataPlace& place);
  // `clock` must outlive it.
  Opened(const std::filesystem::path& path, const Clock& clock);

  [[nodiscard]] Engine& engine() { return engine_; }
  [[nodiscard]] store::DataDirectory& directory() { return *directory_; }
  // Examines it in one state and with a new state at each row, which must agree.
  std::vector<doctor::Finding> examine();

 private:
  std::unique_ptr<Clock> system_;
  std::unique_ptr<PasswordHasher> hasher_;
  std::unique_ptr<store::DataDirectory> directory_;
  Engine engine_;
};

// Seven users with three posts each; each follows the next three; low tier bounds.
class Village {
 public:
  Village();
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "data"; }

  void damage(const std::function<void(lmdb::WriteTxn&)>& body) const;
  void damage_users(std::string_view sql) const;
  void set_policy(feed::Policy policy) const;
  [[nodiscard]] std::vector<std::string> contents() const { return test::contents(path()); }

 private:
  TempFolder folder_;
};

// One line for each finding.
[[nodiscard]] std::string words(const std::vector<doctor::Finding>& findings);
[[nodiscard]] bool has(const std::vector<doctor::Finding>& findings, doctor::FindingKind kind);

// The key of the n-th row of a table.
[[nodiscard]] std::string row_key(const lmdb::Txn& txn, lmdb::Table table, unsigned n);

}  // namespace chirp::test
