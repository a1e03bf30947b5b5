#include "store/postgres/cluster/home.h"

#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/cluster/servers.h"
#include "store/postgres/connection/connecting.h"

namespace chirp::postgres {
namespace {

constexpr std::string_view kTooMany = "53";  // out of connections or memory
constexpr std::string_view kWriter = "select writer from commits where n = $1::int8";

}  // namespace

Home::Home(Address address) : address_(std::move(address)), servers_(addresses_of(address_)) {}

std::optional<std::size_t> Home::found() const {
  const std::lock_guard guard(mutex_);
  return found_;
}

std::optional<std::size_t> Home::trusted() const {
  const std::lock_guard guard(mutex_);
  return is_trusted_ ? found_ : std::nullopt;
}

void Home::doubt() {
  const std::lock_guard guard(mutex_);
  if (std::exchange(is_trusted_, false)) ++doubts_;
}

void Home::saw(const Commit& commit) {
  if (!has_copies()) return;
  const std::lock_guard guard(mutex_);
  if (commit.number >= seen_.number) seen_ = commit;
}

// A swept commit looks like a lost one, but a process that serves queries sees newer ones in time.
void Home::check_it_has_all(Connection& connection, const std::string& name) const {
  Commit seen;
  {
    const std::lock_guard guard(mutex_);
    seen = seen_;
  }
  if (seen.number == 0) return;
  const Result writer = connection.run(kWriter, Params().int8(seen.number));
  if (!writer.empty() && writer.number(0, 0) == seen.writer) return;
  throw Error(ErrorCode::kUnavailable,
              fmt::format("{} takes changes now, and has not commit {}, which this process has "
                          "seen: it was lost with the server that was home before. Start this "
                          "process anew, so that it forgets what is gone.",
                          name, seen.number));
}

void Home::look() {
  const auto seen = look_at_servers(address_);
  const std::size_t home = home_of(seen);
  const auto before = found();
  if (before && *before != home) check_it_has_all(*seen[home].connection, seen[home].name);
  const std::lock_guard guard(mutex_);
  if (found_ && *found_ != home) ++moves_;
  found_ = home;
  is_trusted_ = true;
}

std::unique_ptr<Connection> Home::connect(std::atomic<std::uint64_t>* trips) {
  if (!has_copies()) return std::make_unique<Connection>(address_, trips);
  if (const auto home = trusted()) {
    try {
      auto connection = std::make_unique<Connection>(servers_[*home], trips);
      if (!is_in_recovery(*connection)) return connection;
    } catch (const PostgresError& error) {
      const bool is_full = error.sqlstate().starts_with(kTooMany);
      if (error.code() != ErrorCode::kUnavailable || is_full) throw;
    }
    doubt();
  }
  const std::uint64_t looks = looks_;
  const std::lock_guard guard(looking_);
  if (!trusted()) {
    // Callers that waited for a look-up share its failure, instead of looking one after the other.
    if (failure_ && failed_ > looks) std::rethrow_exception(failure_);
    const std::uint64_t number = ++looks_;
    try {
      look();
    } catch (const Error&) {
      failed_ = number;
      failure_ = std::current_exception();
      throw;
    }
  }
  return std::make_unique<Connection>(servers_[found().value()], trips);
}

}  // namespace chirp::postgres
