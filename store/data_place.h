// The location of the data: a folder, or a PostgreSQL database.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace chirp::store {

// Options for a database.
struct DatabaseOptions {
  // Limit for connecting, for locks, and for the answer to a request; 0: no limit. Other statements
  // may take longer while the server works on them.
  std::chrono::milliseconds timeout{0};
  // Returns whether a signal has asked this process to end; null: signals end it by themselves.
  bool (*is_interrupted)() = nullptr;
  // Accepts that the server may lose acknowledged changes in a crash, as for tests and benchmarks.
  bool may_lose = false;
};

class DataPlace {
 public:
  DataPlace() = default;
  explicit DataPlace(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Parses the user's text: `postgresql://…` and `postgres://…` are databases, everything else is a
  // folder. Throws Error{kInvalidArgument} for an address with a password, without repeating it.
  [[nodiscard]] static DataPlace named(std::string_view text);

  [[nodiscard]] bool empty() const { return folder_.empty() && url_.empty(); }
  [[nodiscard]] bool is_database() const { return !url_.empty(); }
  // The address of a database; empty for a folder.
  [[nodiscard]] const std::string& url() const { return url_; }
  // The path of a folder; empty for a database.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const DatabaseOptions& options() const { return options_; }
  void set_options(const DatabaseOptions& options) { options_ = options; }
  // The text as the user gave it. It contains no password.
  [[nodiscard]] std::string text() const { return is_database() ? url_ : folder_.string(); }

 private:
  std::filesystem::path folder_;
  std::string url_;
  DatabaseOptions options_;
};

}  // namespace chirp::store
