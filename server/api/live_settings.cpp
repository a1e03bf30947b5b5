#include "server/api/live_settings.h"

#include "core/error.h"
#include "server/limits.h"

namespace chirp::api {

bool LiveSettings::holds(std::uint64_t version) const {
  if (!failed_at_ns_) return version_ == version;
  return clock_.steady_ns() - *failed_at_ns_ < limits::kSettingsLookMs * 1'000'000;
}

std::optional<std::uint64_t> LiveSettings::newest() const {
  try {
    return storage_.version();
  } catch (const Error& error) {
    {
      const std::lock_guard lock(mutex_);
      const std::int64_t now = clock_.steady_ns();
      const std::int64_t pause = limits::kSettingsLookMs * 1'000'000;
      if (told_at_ns_ && now - *told_at_ns_ < pause) return std::nullopt;
      told_at_ns_ = now;
    }
    tell(error);
    return std::nullopt;
  }
}

void LiveSettings::tell(const Error& error) const {
  log_.write(Severity::kWarning,
             "The settings http.* can't be read; the server keeps its previous settings.",
             {{"why", error.what()}});
}

std::shared_ptr<const settings::ForClients> LiveSettings::get() const {
  const auto version = newest();
  {
    const std::lock_guard lock(mutex_);
    if (!version || holds(*version)) return last_;
  }
  try {
    const auto snapshot = storage_.snapshot();
    auto read = std::make_shared<const settings::ForClients>(settings::for_clients(*snapshot));
    // The store may report a version that snapshots don't show yet: its sync is in progress.
    const std::uint64_t seen = snapshot->state().version;
    const std::lock_guard lock(mutex_);
    version_ = seen;
    failed_at_ns_.reset();
    last_ = read;
    return read;
  } catch (const Error& error) {
    tell(error);
  }
  const std::lock_guard lock(mutex_);
  version_ = version;
  failed_at_ns_ = clock_.steady_ns();
  return last_;
}

std::shared_ptr<const settings::ForClients> LiveSettings::known() const {
  const auto version = newest();
  const std::lock_guard lock(mutex_);
  return version && holds(*version) ? last_ : nullptr;
}

std::shared_ptr<const settings::ForClients> LiveSettings::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

}  // namespace chirp::api
