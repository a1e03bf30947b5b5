// Small files named by options: configuration and SQL statements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace chirp::cli {

// Reads a regular file of at most 64 KiB; /dev/null is empty. Refuses pipes and devices, which
// could block the command. Throws Error{kBadInput}.
[[nodiscard]] std::string read_small_file(std::string_view option, const std::string& path);

// A line of a configuration file: `port = 8080`, or `hosts = ["a", "b"]`. Inside a section, the key
// is prefixed with the section's name and a dot.
struct ConfigItem {
  std::string key;
  std::vector<std::string> values;
};
// Parses `text`, the contents of the file at `path`. Throws Error{kBadInput}.
[[nodiscard]] std::vector<ConfigItem> config_items(const std::string& path,
                                                   const std::string& text);

}  // namespace chirp::cli
