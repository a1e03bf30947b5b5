#include "cli/config_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/descriptor.h"
#include "cli/output.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kMost = std::size_t{64} << 10;

[[noreturn]] void refuse(std::string_view option, const std::string& path, std::string_view why) {
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: {} can't be read: {}.", option, safe(path), why));
}

}  // namespace

std::string read_small_file(std::string_view option, const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat facts {};
  if (!file.is_open() || ::fstat(file.get(), &facts) != 0)
    refuse(option, path, std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) refuse(option, path, "it is a directory");
  if (!S_ISREG(facts.st_mode) && !S_ISCHR(facts.st_mode))
    refuse(option, path, "it is not a regular file");
  std::string text(kMost + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(option, path, std::strerror(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > kMost) refuse(option, path, "it is larger than 64 KiB");
  text.resize(size);
  return text;
}

std::vector<ConfigItem> config_items(const std::string& path, const std::string& text) {
  std::vector<CLI::ConfigItem> found;
  std::istringstream lines(text);
  try {
    found = CLI::ConfigTOML().from_config(lines);
  } catch (const CLI::Error& error) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("--config: {} can't be read: {}", safe(path), safe(error.what())));
  }
  std::vector<ConfigItem> items;
  for (CLI::ConfigItem& item : found) {
    if (item.name == "++" || item.name == "--") continue;  // marks the bounds of a section
    items.push_back({item.fullname(), std::move(item.inputs)});
  }
  return items;
}

}  // namespace chirp::cli
