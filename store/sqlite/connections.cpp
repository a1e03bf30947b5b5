#include "store/sqlite/connections.h"

#include <utility>

#include "store/sqlite/schema.h"

namespace chirp::sqlite {
namespace {

constexpr std::size_t kIdleMost = 32;

}  // namespace

Connections::Connections(std::unique_ptr<Connection> first)
    : file_(first->file()), access_(first->access()), is_copy_(first->is_copy()) {
  idle_.push_back(std::move(first));
}

std::unique_ptr<Connection> Connections::take() {
  {
    const std::lock_guard guard(mutex_);
    if (!idle_.empty()) {
      auto last = std::move(idle_.back());
      idle_.pop_back();
      return last;
    }
  }
  auto another = std::make_unique<Connection>(file_);
  (void)check_schema(*another);
  another->watch(watch_);
  another->keep(reserve_);
  ++opened_;
  return another;
}

void Connections::watch(store::DirectoryWatch* watch, store::DiskReserve* reserve) {
  watch_ = watch;
  reserve_ = reserve;
  for (const auto& connection : idle_) {
    connection->watch(watch);
    connection->keep(reserve);
  }
}

void Connections::give_back(std::unique_ptr<Connection> lent) {
  // Surplus connections are closed after the lock is released.
  const std::lock_guard guard(mutex_);
  if (idle_.size() < kIdleMost) idle_.push_back(std::move(lent));
}

}  // namespace chirp::sqlite
