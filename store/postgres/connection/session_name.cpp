#include "store/postgres/connection/session_name.h"

#include <array>
#include <charconv>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

namespace chirp::postgres {
namespace {

constexpr std::string_view kProgram = "chirp ";
constexpr std::string_view kServer = "serve ";
constexpr std::string_view kBeforePid = ", ";

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

std::string process_name() { return fmt::format("{}@{}", ::getpid(), host_name()); }

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

}  // namespace

std::string session_name() { return fmt::format("{}{}", kProgram, process_name()); }

std::string session_name_of_server(std::string_view address) {
  return fmt::format("{}{}{}{}{}", kProgram, kServer, address, kBeforePid, process_name());
}

std::string name_as_server(std::string_view address) {
  std::string name;
  for (const char c : session_name_of_server(address)) name.append(c == '\'' ? 2 : 1, c);
  return fmt::format("set application_name = '{}'", name);
}

std::optional<store::ProcessStatus> process_named(std::string_view name) {
  store::ProcessStatus process;
  if (!take(name, kProgram)) return std::nullopt;
  if (take(name, kServer)) {
    const std::size_t end = name.find(kBeforePid);
    if (end == std::string_view::npos) return std::nullopt;
    process.address = name.substr(0, end);
    name.remove_prefix(end + kBeforePid.size());
  }
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process.pid);
  if (error != std::errc() || end == name.data() + name.size() || *end != '@') return std::nullopt;
  process.host = name.substr(static_cast<std::size_t>(end - name.data()) + 1);
  return process;
}

}  // namespace chirp::postgres
