#include "server/api/live_settings.h"

#include "core/error.h"
#include "server/limits.h"

namespace chirp::api {

std::shared_ptr<const settings::ForClients> LiveSettings::get() const {
  const std::int64_t now = clock_.steady_ns();
  const std::lock_guard lock(mutex_);
  if (looked_at_ns_ && now - *looked_at_ns_ < limits::kSettingsLookMs * 1'000'000) return last_;
  looked_at_ns_ = now;
  try {
    last_ = std::make_shared<const settings::ForClients>(settings::for_clients(storage_));
  } catch (const Error& error) {
    log_.write(Severity::kWarning, "The settings http.* can't be read; those of before hold.",
               {{"why", error.what()}});
  }
  return last_;
}

}  // namespace chirp::api
