// Finds settings that are valid but harmful.
#include "core/settings.h"

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/setting_text.h"

namespace chirp::doctor {
void check_settings(const CheckInput& stores, Examination& exam) {
  const auto why =
      settings::proxies_objection(settings::for_clients(stores.snapshot).trusted_proxies);
  if (!why.empty()) exam.find(FindingKind::kSetting, fmt::format("http.trusted_proxies {}", why));
  if (const unsigned cost = settings::bcrypt_cost(stores.storage);
      cost > settings::kBcryptCostMax) {
    exam.find(FindingKind::kSetting,
              fmt::format("auth.bcrypt_cost is {}, so that a log-in takes minutes "
                          "or days; the default is 12",
                          cost));
  }
}

}  // namespace chirp::doctor
