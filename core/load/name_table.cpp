#include "core/load/name_table.h"

#include <limits>

namespace chirp::load {
namespace {

// Separates the fields of an entry; valid names never have control characters.
constexpr char kEnd = '\0';

std::string_view field_at(std::string_view text) { return text.substr(0, text.find(kEnd)); }

}  // namespace

bool NameTable::put(const SourceUser& user) {
  if (places_.contains(user.id.value)) return true;
  const std::size_t size = user.username.size() + user.display_name.size() + user.bio.size() + 3;
  const std::size_t used = text_.size() + places_.size() * kEntryBytes;
  if (used + size + kEntryBytes > bytes_max_) return false;
  if (text_.size() + size > std::numeric_limits<std::uint32_t>::max()) return false;
  places_.emplace(user.id.value, static_cast<std::uint32_t>(text_.size()));
  for (const std::string* field : {&user.username, &user.display_name, &user.bio}) {
    text_.append(field_at(*field)).push_back(kEnd);
  }
  return true;
}

std::optional<SourceUser> NameTable::find(SourceId id) const {
  const auto place = places_.find(id.value);
  if (place == places_.end()) return std::nullopt;
  std::string_view rest = std::string_view(text_).substr(place->second);
  SourceUser user{.id = id, .username = {}, .display_name = {}, .bio = {}};
  for (std::string* field : {&user.username, &user.display_name, &user.bio}) {
    *field = field_at(rest);
    rest.remove_prefix(field->size() + 1);
  }
  return user;
}

void NameTable::clear() {
  places_.clear();
  text_.clear();
}

}  // namespace chirp::load
