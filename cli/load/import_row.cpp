#include "cli/load/import_row.h"

#include <charconv>

#include <fmt/format.h>

#include "cli/load/import_check.h"
#include "cli/load/import_media.h"
#include "cli/output.h"
#include "core/load/source.h"
#include "core/model/chosen_names.h"
#include "core/model/names.h"
#include "core/rules/row_problems.h"

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

template <class Value>
Value Row::get(const char* key, const char* problem) const {
  Value value;
  if (object_[key].get(value) == simdjson::SUCCESS) return value;
  throw BadRow{fmt::format("\"{}\" {}", key, problem)};
}

bool Row::has(const char* key) const { return object_[key].error() == simdjson::SUCCESS; }

bool Row::is_null(const char* key) const { return get<dom::element>(key, "is missing").is_null(); }

std::string Row::text(const char* key) const { return std::string(view(key)); }

std::string_view Row::view(const char* key) const {
  return get<std::string_view>(key, "is missing or no text");
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
  return has(key) && get<bool>(key, "is neither true nor false");
}

std::vector<std::string> Row::texts(const char* key) const {
  std::vector<std::string> values;
  if (!has(key)) return values;
  for (const dom::element element : get<dom::array>(key, "is no list")) {
    std::string_view value;
    if (element.get(value) != simdjson::SUCCESS) {
      throw BadRow{fmt::format("\"{}\" has something that is no text", key)};
    }
    values.emplace_back(value);
  }
  return values;
}

Row Row::inner(const char* key) const { return Row(get<dom::object>(key, "is no object")); }

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

User user_of(const Row& row) {
  User user;
  user.id = UserId{row.id("userId")};
  user.username = row.text("username");
  check_username(user.username);
  user.display_name = without_turns(row.text("displayName"));
  if (user.display_name.empty()) user.display_name = user.username;
  if (checked_display_name(user.display_name) != user.display_name) {
    throw BadRow{"\"displayName\" is not normalised"};
  }
  user.bio = without_turns(row.text("bio"));
  if (checked_bio(user.bio) != user.bio) throw BadRow{"\"bio\" is not normalised"};
  user.created_at = row.time("createdAt");
  if (row.has("email")) {
    user.email = row.text("email");
    check_email(*user.email);
  }
  if (row.has("profileImageUrl")) {
    user.picture = ImportMedia::upload_at(row.text("profileImageUrl"));
    if (user.picture == MediaId{}) throw BadRow{"\"profileImageUrl\" is no upload"};
  }
  user.source = row.source();
  user.name_origin = row.flag("nameGenerated") ? NameOrigin::kGenerated : NameOrigin::kOwn;
  user.suspended = row.flag("suspended");
  if (row.has("oldName")) {
    user.old_name = OldName{row.text("oldName"), row.time("oldNameUntil")};
    check_username(user.old_name->username);
  }
  return user;
}

ReadingMarks marks_of(const Row& row) {
  ReadingMarks marks;
  if (row.has("readTo")) marks.feed = PostId{row.id("readTo")};
  if (row.has("notificationsReadTo")) marks.notified = Sequence{row.id("notificationsReadTo")};
  if (marks.notified > rules::kEventsMax) throw BadRow{"\"notificationsReadTo\" is too high"};
  return marks;
}

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

Row ImportReader::parsed(const input::Line& line) {
  simdjson::dom::object object;
  if (line.kind == input::LineKind::kTooLong) throw BadRow{"the line is too long"};
  if (parser_.parse(line.text.data(), line.text.size()).get(object) != simdjson::SUCCESS) {
    throw BadRow{"this is not one JSON object"};
  }
  return Row(object);
}

void ImportReader::fail(const char* name, std::uint64_t line, std::string_view what) const {
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}:{}: {}", safe((from_ / name).string()), line, safe(what)));
}

void ImportReader::store(const ImportedLines& lines, const std::function<void()>& store) {
  const std::uint64_t first = lines.last + 1 - lines.count;
  has_stored_ = true;
  try {
    store();
  } catch (const RefusedRow& refused) {
    fail(lines.file, first + refused.index, refused.what);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kAlreadyExists && error.code() != ErrorCode::kBadInput) throw;
    if (lines.count == 1) fail(lines.file, first, error.what());
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:{}-{}: {}", safe((from_ / lines.file).string()), first, lines.last,
                            safe(error.what())));
  }
}

}  // namespace chirp::cli
