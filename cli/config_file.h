// The small files that options name: --config, and statements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace chirp::cli {

// At most 64 KiB of a regular file, or nothing of /dev/null. A pipe, or a device that never ends,
// must not hold a command up. Throws Error{kBadInput}.
[[nodiscard]] std::string read_small_file(std::string_view option, const std::string& path);

// A line of a configuration file: `port = 8080`, or `hosts = ["a", "b"]`. In a section the key has
// its name and a dot in front.
struct ConfigItem {
  std::string key;
  std::vector<std::string> values;
};
// Returns the lines of the file at `path`, whose contents are `text`. Throws Error{kBadInput}.
[[nodiscard]] std::vector<ConfigItem> config_items(const std::string& path,
                                                   const std::string& text);

}  // namespace chirp::cli
