#include "cli/bench/served_world.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "cli/service_ports.h"
#include "cli/version.h"
#include "core/events/consumers.h"
#include "core/settings.h"
#include "core/social/accounts.h"
#include "core/social/tokens.h"

namespace chirp::cli::bench {
namespace {

constexpr std::uint32_t kServedUsers = 400;
constexpr std::uint64_t kServedPosts = 20'000;

constexpr const char* kNoLimit = "1000000000";

}  // namespace

std::string get(const char* path, const std::string& token) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n", path,
                     token);
}

ServedWorld::ServedWorld(const store::DataPlace& place, const BenchRequest& request,
                         const Clock& clock)
    : clock_(clock) {
  store::make_data_directory(place, std::nullopt);
  directory_ = store::DataDirectory::open(place);
  for (const char* key :
       {"http.rate_limit", "http.rate_limit_anonymous", "http.connections", "http.streams"}) {
    settings::set(storage(), key, kNoLimit, clock.now());
  }
  add_users(std::max(request.users.value_or(kServedUsers), kServedReaders + 1));
  add_posts(request.posts.value_or(kServedPosts));
  events::drain(storage(), clock);
  ServiceOptions options;
  options.port = 0;
  options.version = program_version();
  options.requests = Log::Requests::kQuiet;
  service_ = std::make_unique<Service>(service_ports(*directory_, *hasher_, clock), options);
  running_ = std::thread([this] { service_->run(); });
}

ServedWorld::~ServedWorld() {
  service_->stop();
  running_.join();
}

void ServedWorld::add_users(std::uint32_t count) {
  social::Accounts accounts(storage(), directory_->users(), *hasher_, clock_);
  social::Tokens tokens(directory_->users(), accounts, clock_);
  std::vector<Change> cards;
  for (std::uint32_t i = 0; i < count; ++i) {
    NewUser user;
    user.username = fmt::format("u{}", i);
    user.display_name = fmt::format("User number {}", i);
    users_.push_back(directory_->users().add(user, clock_.now()));
    cards.emplace_back(PutCard{social::card_of(users_.back())});
  }
  storage().write(cards, clock_.now());
  for (std::uint32_t i = 0; i < kServedReaders; ++i) {
    tokens_.push_back(tokens.mint(users_[i], std::nullopt).token);
    std::vector<Change> follows;
    for (std::uint32_t other = i + 1; other <= i + count / 2; ++other) {
      follows.emplace_back(Follow{users_[i].number, users_[other % count].number});
    }
    storage().write(follows, clock_.now());
  }
}

void ServedWorld::add_posts(std::uint64_t count) {
  write_changes(storage(), clock_, count, [&](auto& changes, std::uint64_t n) {
    const UserNumber author = users_[static_cast<std::size_t>(n * 7919 % users_.size())].number;
    changes.emplace_back(Publish{author, post_text(n), Privacy::kPublic});
  });
}

}  // namespace chirp::cli::bench
