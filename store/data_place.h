// Where data is: a folder, or a database of PostgreSQL.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace chirp::store {

// How a database is used.
struct DatabaseOptions {
  // For connecting, for locks, and for the answer to a request; 0: as long as it takes. Statements
  // of others may take longer while the server is at work.
  std::chrono::milliseconds timeout{0};
  // Whether a signal has asked this process to end; null: signals end it by themselves.
  bool (*is_interrupted)() = nullptr;
  // The server may lose acknowledged changes in a crash, as for tests and benchmarks.
  bool may_lose = false;
};

class DataPlace {
 public:
  DataPlace() = default;
  explicit DataPlace(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // What somebody says: `postgresql://…` and `postgres://…` are databases, all else are folders.
  // Throws Error{kInvalidArgument} for an address with a password in it, without saying it.
  [[nodiscard]] static DataPlace named(std::string_view text);

  [[nodiscard]] bool empty() const { return folder_.empty() && url_.empty(); }
  [[nodiscard]] bool is_database() const { return !url_.empty(); }
  // Of a database; empty for a folder.
  [[nodiscard]] const std::string& url() const { return url_; }
  // Empty for a database.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const DatabaseOptions& options() const { return options_; }
  void set_options(const DatabaseOptions& options) { options_ = options; }
  // As it was said. There is no password in it.
  [[nodiscard]] std::string text() const { return is_database() ? url_ : folder_.string(); }

 private:
  std::filesystem::path folder_;
  std::string url_;
  DatabaseOptions options_;
};

}  // namespace chirp::store
