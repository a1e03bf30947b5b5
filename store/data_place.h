// Where data is: a folder, or a database of PostgreSQL.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace chirp::store {

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
  // As it was said. There is no password in it.
  [[nodiscard]] std::string text() const { return is_database() ? url_ : folder_.string(); }

 private:
  std::filesystem::path folder_;
  std::string url_;
};

}  // namespace chirp::store
