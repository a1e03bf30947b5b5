// Finds settings that are valid and still harmful.
#include "core/settings.h"

#include <fmt/format.h>

#include "core/doctor/checks.h"

namespace chirp::doctor {
namespace {

// Each step doubles the time of a hash: 0.3 s at 12, 20 s at 18, and two days at 31.
constexpr unsigned kCostMax = 18;

// The largest networks of proxies are 10.0.0.0/8 and fc00::/7.
bool is_too_wide(const IpNetwork& network) {
  constexpr unsigned kV4Bits = 96;  // of an IPv6 address before an embedded IPv4 address
  const bool of_v4 = network.address.is_v4() && network.bits >= kV4Bits;
  return network.bits < (of_v4 ? kV4Bits + 8 : 7);
}

}  // namespace

void check_settings(const Stores& stores, Examination& exam) {
  for (const IpNetwork& network : settings::for_clients(stores.snapshot).trusted_proxies) {
    if (!is_too_wide(network)) continue;
    exam.find(
        Kind::kSetting,
        "http.trusted_proxies has a network that is wider than any of proxies, so clients are "
        "believed when they say who they are; set it to the addresses of the proxies");
    break;
  }
  if (const unsigned cost = settings::bcrypt_cost(stores.storage); cost > kCostMax) {
    exam.find(Kind::kSetting, fmt::format("auth.bcrypt_cost is {}, so that a log-in takes minutes "
                                          "or days; the default is 12",
                                          cost));
  }
}

}  // namespace chirp::doctor
