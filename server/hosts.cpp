#include "server/hosts.h"

#include <algorithm>
#include <array>

#include "core/model/names.h"

namespace chirp {
namespace {

constexpr std::array<std::string_view, 3> kOwnNames{"localhost", "127.0.0.1", "[::1]"};

}  // namespace

bool is_loopback(std::string_view bound) {
  return bound == "localhost" || bound == "::1" || bound.starts_with("127.");
}

std::string url_host(const std::string& bound) {
  return bound.find(':') == std::string::npos ? bound : "[" + bound + "]";
}

bool answers_for(std::string_view host, const std::string& bound,
                 std::span<const std::string> set) {
  if (set.empty() && !is_loopback(bound)) return true;
  const std::string name = folded(host);
  return std::find(kOwnNames.begin(), kOwnNames.end(), name) != kOwnNames.end() ||
         std::find(set.begin(), set.end(), name) != set.end() || name == folded(url_host(bound));
}

}  // namespace chirp
