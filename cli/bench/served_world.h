// A server to measure, with users who have tokens and feeds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/bench/runs.h"
#include "core/model/user.h"
#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "core/ports/storage.h"
#include "server/service.h"
#include "store/data_directory.h"
#include "store/data_place.h"

namespace chirp::cli::bench {

// Users with a token, each of whom follows half of all users.
inline constexpr std::uint32_t kServedReaders = 128;

inline constexpr const char* kFeedPath = "/v1/feed";

// A complete request.
[[nodiscard]] std::string get(const char* path, const std::string& token);

class ServedWorld {
 public:
  // Makes a data directory unless it exists, and serves it on any port, without rate limits, while
  // this lives.
  ServedWorld(const store::DataPlace& place, const BenchRequest& request, const Clock& clock);
  ~ServedWorld();
  ServedWorld(const ServedWorld&) = delete;
  ServedWorld& operator=(const ServedWorld&) = delete;

  [[nodiscard]] std::uint16_t port() const { return service_->port(); }
  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  Storage& storage() { return directory_->storage(); }
  void add_users(std::uint32_t count);
  void add_posts(std::uint64_t count);

  const Clock& clock_;
  std::unique_ptr<PasswordHasher> hasher_ = store::bcrypt_hasher();
  std::unique_ptr<store::DataDirectory> directory_;
  std::vector<User> users_;
  std::vector<std::string> tokens_;
  std::unique_ptr<Service> service_;
  std::thread running_;
};

}  // namespace chirp::cli::bench
