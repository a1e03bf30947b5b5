#include "cli/load/import_row.h"

#include <charconv>

#include <fmt/format.h>

#include "core/load/source.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

namespace dom = simdjson::dom;

std::optional<std::uint64_t> whole(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

Row::Row(const dom::object& object) : object_(object) {
  for (auto one = object.begin(); one != object.end(); ++one) {
    for (auto earlier = object.begin(); earlier != one; ++earlier) {
      if (earlier.key() != one.key()) continue;
      throw BadRow{fmt::format("\"{}\" occurs twice", printable(one.key()))};
    }
  }
}

bool Row::has(const char* key) const { return object_[key].error() == simdjson::SUCCESS; }

bool Row::is_null(const char* key) const {
  dom::element value;
  if (object_[key].get(value) != simdjson::SUCCESS) {
    throw BadRow{fmt::format("\"{}\" is missing", key)};
  }
  return value.is_null();
}

std::string Row::text(const char* key) const { return std::string(view(key)); }

std::string_view Row::view(const char* key) const {
  std::string_view value;
  if (object_[key].get(value) != simdjson::SUCCESS) {
    throw BadRow{fmt::format("\"{}\" is missing or no text", key)};
  }
  return value;
}

std::uint64_t Row::id(const char* key) const {
  const std::string_view digits = view(key);
  const auto value = whole(digits);
  if (!value || *value == 0 || *value > load::kSourceIdMax) {
    throw BadRow{fmt::format("\"{}\" is no id: \"{}\"", key, printable(digits))};
  }
  return *value;
}

std::optional<SourceKey> Row::source() const {
  if (has("sourceWord")) {
    std::string word = text("sourceWord");
    if (has("sourceId") || !can_be_source_word(word) || source_number(word)) {
      throw BadRow{fmt::format("\"sourceWord\" is no word: \"{}\"", printable(word))};
    }
    return SourceKey(std::move(word));
  }
  if (!has("sourceId")) return std::nullopt;
  const std::string_view digits = view("sourceId");
  const auto value = whole(digits);
  if (!value) throw BadRow{fmt::format("\"sourceId\" is no id: \"{}\"", printable(digits))};
  return SourceKey(SourceId{*value});
}

Time Row::time(const char* key) const {
  const std::string_view value = view(key);
  const auto time = parse_iso8601(value);
  if (!time) throw BadRow{fmt::format("\"{}\" is no time: \"{}\"", key, printable(value))};
  return *time;
}

bool Row::flag(const char* key) const {
  bool value = false;
  if (has(key) && object_[key].get(value) != simdjson::SUCCESS) {
    throw BadRow{fmt::format("\"{}\" is neither true nor false", key)};
  }
  return value;
}

std::vector<std::string> Row::texts(const char* key) const {
  std::vector<std::string> values;
  if (!has(key)) return values;
  dom::array array;
  if (object_[key].get(array) != simdjson::SUCCESS) {
    throw BadRow{fmt::format("\"{}\" is no list", key)};
  }
  for (const dom::element element : array) {
    std::string_view value;
    if (element.get(value) != simdjson::SUCCESS) {
      throw BadRow{fmt::format("\"{}\" has something that is no text", key)};
    }
    values.emplace_back(value);
  }
  return values;
}

Row Row::inner(const char* key) const {
  dom::object value;
  if (object_[key].get(value) != simdjson::SUCCESS) {
    throw BadRow{fmt::format("\"{}\" is no object", key)};
  }
  return Row(value);
}

Privacy privacy_of(const Row& row) {
  const std::string name = row.text("privacy");
  if (const auto privacy = privacy_named(name)) return *privacy;
  throw BadRow{fmt::format("\"privacy\" is \"{}\"", printable(name))};
}

Relation relation_of(const Row& row) {
  const std::string name = row.text("relation");
  if (name == "block") return Relation::kBlock;
  if (name == "mute") return Relation::kMute;
  throw BadRow{fmt::format("\"relation\" is \"{}\"", printable(name))};
}

ReactionType type_of(const Row& row) {
  const std::string name = row.text("likeType");
  if (const auto type = reaction_named(name)) return *type;
  throw BadRow{fmt::format("\"likeType\" is \"{}\"", printable(name))};
}

std::string text_of(const Row& row) {
  std::string text = row.text("content");
  if (checked_loaded_text(text).text != text) throw BadRow{"\"content\" is not normalised"};
  return text;
}

void check_type(const Row& row, const Post& post) {
  const bool is_repost = post.original != PostId{};
  if (is_repost && row.has("content") && !row.text("content").empty()) {
    throw BadRow{"a repost has no \"content\": the words would be lost"};
  }
  const std::string_view type = is_repost ? "repost" : post.media.empty() ? "text" : "media";
  if (!row.has("postType") || row.text("postType") == type) return;
  throw BadRow{fmt::format("\"postType\" is \"{}\", and the post is of the type \"{}\"",
                           printable(row.text("postType")), type)};
}

}  // namespace chirp::cli
