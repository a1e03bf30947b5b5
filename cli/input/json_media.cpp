#include "cli/input/json_media.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "cli/input/cells.h"
#include "cli/input/notations.h"

namespace chirp::cli::input {
namespace {

namespace dom = simdjson::dom;

std::string string_in(const dom::element& value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(trimmed(text)) : std::string();
}

// Each element of an array, or the value itself.
template <class Take>
void each(const dom::element* value, Take take) {
  if (value == nullptr) return;
  dom::array all;
  if (value->get(all) != simdjson::SUCCESS) return take(*value);
  for (const dom::element one : all) take(one);
}

load::SourceMedium medium_of(const dom::object& object) {
  load::SourceMedium medium;
  for (const auto [key, value] : object) {
    const std::string name = plain_name(key);
    if (name == "url") medium.address = string_in(value);
    if (name == "description" || name == "alttext" || name == "comment") {
      medium.alt_text = string_in(value);
    }
  }
  return medium;
}

}  // namespace

std::vector<load::SourceMedium> media_of(const dom::element* addresses,
                                         const dom::element* alt_texts) {
  std::vector<load::SourceMedium> media;
  each(addresses, [&](const dom::element& one) {
    dom::object object;
    if (one.get(object) == simdjson::SUCCESS) {
      media.push_back(medium_of(object));
    } else if (std::string address = string_in(one); !address.empty()) {
      media.emplace_back().address = std::move(address);
    }
  });
  std::size_t at = 0;
  each(alt_texts, [&](const dom::element& one) {
    std::string text = string_in(one);
    const std::size_t place = at++;
    if (text.empty()) return;
    if (place < media.size()) {
      media[place].alt_text = std::move(text);
    } else {
      media.emplace_back().alt_text = std::move(text);
    }
  });
  return media;
}

}  // namespace chirp::cli::input
