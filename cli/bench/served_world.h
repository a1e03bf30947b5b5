// A server to be measured, with people who have tokens and feeds.
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

// Who have a token, and follow half of all.
inline constexpr std::uint32_t kServedReaders = 128;

inline constexpr const char* kFeedPath = "/v1/feed";

// A whole request.
[[nodiscard]] std::string get(const char* path, const std::string& token);

class ServedWorld {
 public:
  // Makes a data directory where there is none, and serves it on any port, without limits of
  // requests, until this ends.
  ServedWorld(const store::DataPlace& place, const Request& request, const Clock& clock);
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
