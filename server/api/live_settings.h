// The settings that a server needs with every request, from memory while the store stays as it is.
// Safe to call from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "core/error.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/settings.h"
#include "server/log.h"

namespace chirp::api {

class LiveSettings {
 public:
  // All must outlive it.
  LiveSettings(const Storage& storage, const Clock& clock, Log& log)
      : storage_(storage), clock_(clock), log_(log) {}

  // Never null, never throws an Error. While they can't be read, those of the last look hold, and
  // they are looked at again after limits::kSettingsLookMs; while the store can't even tell its
  // version, because its database is away, those of the last look hold, and each call asks again.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> get() const;
  // The same from memory alone, which waits for no disk. Null if it takes a look at the store, and
  // while the store can't tell its version.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> known() const;
  // Those of the last look, whenever that was: the usual ones before the first.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> last() const;

 private:
  const Storage& storage_;
  const Clock& clock_;
  Log& log_;
  [[nodiscard]] bool holds(std::uint64_t version) const;  // under the lock
  // The store's version; empty while it can't be told, which the log says now and then.
  [[nodiscard]] std::optional<std::uint64_t> newest() const;
  void tell(const Error& error) const;

  mutable std::mutex mutex_;  // nobody looks at the store under it
  // Of the last look, the version that it saw, and when it failed if it has.
  mutable std::shared_ptr<const settings::ForClients> last_ =
      std::make_shared<const settings::ForClients>();
  mutable std::optional<std::uint64_t> version_;
  mutable std::optional<std::int64_t> failed_at_ns_;
  mutable std::optional<std::int64_t> told_at_ns_;  // that there was no version
};

}  // namespace chirp::api
