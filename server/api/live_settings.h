// The settings that a server needs with every request, looked at once in limits::kSettingsLookMs.
// Safe to call from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

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

  // Never null, never throws an Error: while they can't be read, those of the last look hold.
  [[nodiscard]] std::shared_ptr<const settings::ForClients> get() const;

 private:
  const Storage& storage_;
  const Clock& clock_;
  Log& log_;
  mutable std::mutex mutex_;
  // Of the last look, and when it was.
  mutable std::shared_ptr<const settings::ForClients> last_ =
      std::make_shared<const settings::ForClients>();
  mutable std::optional<std::int64_t> looked_at_ns_;
};

}  // namespace chirp::api
