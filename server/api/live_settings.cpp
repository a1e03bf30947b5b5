#include "server/api/live_settings.h"

#include "core/error.h"
#include "server/limits.h"

namespace chirp::api {

bool LiveSettings::holds(std::uint64_t version) const {
  if (!failed_at_ns_) return version_ == version;
  return clock_.steady_ns() - *failed_at_ns_ < limits::kSettingsLookMs * 1'000'000;
}

std::shared_ptr<const settings::ForClients> LiveSettings::get() const {
  const std::uint64_t version = storage_.version();
  {
    const std::lock_guard lock(mutex_);
    if (holds(version)) return last_;
  }
  try {
    const auto snapshot = storage_.snapshot();
    auto read = std::make_shared<const settings::ForClients>(settings::for_clients(*snapshot));
    const std::lock_guard lock(mutex_);
    // The store may say a version that snapshots don't show yet: it is synced just then.
    version_ = snapshot->state().version;
    failed_at_ns_.reset();
    last_ = read;
    return read;
  } catch (const Error& error) {
    log_.write(Severity::kWarning, "The settings http.* can't be read; those of before hold.",
               {{"why", error.what()}});
  }
  const std::lock_guard lock(mutex_);
  version_ = version;
  failed_at_ns_ = clock_.steady_ns();
  return last_;
}

std::shared_ptr<const settings::ForClients> LiveSettings::known() const {
  const std::uint64_t version = storage_.version();
  const std::lock_guard lock(mutex_);
  return holds(version) ? last_ : nullptr;
}

std::shared_ptr<const settings::ForClients> LiveSettings::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

}  // namespace chirp::api
