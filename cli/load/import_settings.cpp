#include "cli/load/import_settings.h"

#include <string_view>

#include <fmt/format.h>

#include "core/model/names.h"

namespace chirp::cli {

std::vector<settings::SettingChange> settings_of(const Row& row) {
  std::vector<settings::SettingChange> changes;
  for (const auto& [key, value] : row.object()) {
    std::string_view text;
    std::uint64_t number = 0;
    if (value.get(text) == simdjson::SUCCESS) {
      changes.push_back({std::string(key), std::string(text)});
    } else if (value.get(number) == simdjson::SUCCESS) {
      changes.push_back({std::string(key), std::to_string(number)});
    } else {
      throw BadRow{fmt::format("\"{}\" is neither a text nor a number", printable(key))};
    }
  }
  return changes;
}

std::vector<std::string> leave_out_guarding(const Storage& storage,
                                            std::vector<settings::SettingChange>& changes) {
  std::vector<std::string> left;
  std::erase_if(changes, [&](const settings::SettingChange& change) {
    if (!change.key.starts_with("http.") && !change.key.starts_with("auth.")) return false;
    const std::string here = settings::text_of(settings::get(storage, change.key));
    if (here != change.text) left.push_back(change.key);
    return true;
  });
  return left;
}

}  // namespace chirp::cli
