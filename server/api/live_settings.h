// The settings that the server needs for every request, cached while the store does not change.
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

  // Never null, never throws an Error. If the settings can't be read, returns the last ones and
  // retries after limits::kSettingsLookMs. If the store can't report its version because its
  // database is unreachable, returns the last ones and retries at each call.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> get() const;
  // Like get(), but from memory only, without waiting for a disk. Null if get() would read the
  // store, or if the store can't report its version.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> known() const;
  // The settings that were last read, however old; the defaults before the first read.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> last() const;

 private:
  const Storage& storage_;
  const Clock& clock_;
  Log& log_;
  [[nodiscard]] bool holds(std::uint64_t version) const;  // call with the mutex held
  // Returns the store's version; empty if it is unknown, which is logged from time to time.
  [[nodiscard]] std::optional<std::uint64_t> newest() const;
  void tell(const Error& error) const;

  mutable std::mutex mutex_;  // never held while the store is read
  // The last read: its settings, the store's version, and the time of a failure.
  mutable std::shared_ptr<const settings::ForClients> last_ =
      std::make_shared<const settings::ForClients>();
  mutable std::optional<std::uint64_t> version_;
  mutable std::optional<std::int64_t> failed_at_ns_;
  mutable std::optional<std::int64_t> told_at_ns_;  // when the log reported an unknown version
};

}  // namespace chirp::api
