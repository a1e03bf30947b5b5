// The engine as in `chirp serve`, without sockets: the hot set, the writer with group commit, and
// upkeep on its thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/engine.h"
#include "core/hot/hot_set.h"
#include "server/engine/commit_listener.h"
#include "server/engine/grouped_storage.h"
#include "server/engine/upkeep.h"
#include "server/log.h"
#include "server/metrics.h"
#include "store/data_directory.h"

namespace chirp::cli::bench {

class Served {
 public:
  // `cache_bytes` of 0 means no hot set.
  Served(store::DataDirectory& directory, const Clock& clock, std::uint64_t cache_bytes);
  ~Served() { listener_.clear(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  [[nodiscard]] const Storage& storage() const { return *storage_; }
  [[nodiscard]] hot::Use use() const { return hot_ ? hot_->use() : hot::Use{}; }
  // Entries added to timelines, as the metrics count them.
  [[nodiscard]] std::uint64_t deliveries() const;

  // Does the work of a request, and hands over its upkeep. Any thread may call it.
  void read(UserNumber reader);
  void publish(UserNumber author, std::string_view text);

 private:
  double reading_share() const;

  Metrics metrics_;
  Log log_{Log::Requests::kQuiet};
  CommitListener listener_;
  std::unique_ptr<PasswordHasher> hasher_;
  std::unique_ptr<GroupedStorage> storage_;
  std::unique_ptr<hot::HotSet> hot_;
  Engine engine_;
  UpkeepThread upkeep_;
};

}  // namespace chirp::cli::bench
