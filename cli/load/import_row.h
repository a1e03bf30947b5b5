// The files of an export, row by row, and their objects, read strictly.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "cli/input/byte_stream.h"
#include "cli/input/lines.h"
#include "core/error.h"
#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/reading.h"
#include "core/model/relation.h"
#include "core/model/user.h"
#include "core/ports/storage.h"
#include "core/settings.h"

namespace chirp::cli {

// What is wrong with a row, without its position.
struct BadRow {
  std::string what;
};

// Reads members by name; throws BadRow for one that is missing or of another type.
class Row {
 public:
  // Throws BadRow for a member that occurs twice: readers differ in which one counts.
  explicit Row(const simdjson::dom::object& object);

  [[nodiscard]] const simdjson::dom::object& object() const { return object_; }
  [[nodiscard]] bool has(const char* key) const;
  [[nodiscard]] bool is_null(const char* key) const;
  [[nodiscard]] std::string text(const char* key) const;
  // A number of 63 bits, as text, 1 or more.
  [[nodiscard]] std::uint64_t id(const char* key) const;
  // `sourceId` if present: any number of 64 bits, since made-up ids have the highest bit; or
  // `sourceWord`.
  [[nodiscard]] std::optional<SourceKey> source() const;
  [[nodiscard]] Time time(const char* key) const;
  // False if it is missing.
  [[nodiscard]] bool flag(const char* key) const;
  // A list of texts; empty if it is missing.
  [[nodiscard]] std::vector<std::string> texts(const char* key) const;
  // An inner object.
  [[nodiscard]] Row inner(const char* key) const;

 private:
  // Throws BadRow with the problem if the member is missing or of another type.
  template <class Value>
  [[nodiscard]] Value get(const char* key, const char* problem) const;
  // Valid until the next row is parsed.
  [[nodiscard]] std::string_view view(const char* key) const;

  simdjson::dom::object object_;
};

// The `content` of a post or comment.
[[nodiscard]] std::string text_of(const Row& row);
// Throws BadRow if `postType` does not match the post, and for a repost with a text.
void check_type(const Row& row, const Post& post);
// The values of `privacy`, `relation` and `likeType` of a row.
[[nodiscard]] Privacy privacy_of(const Row& row);
[[nodiscard]] Relation relation_of(const Row& row);
[[nodiscard]] ReactionType type_of(const Row& row);

// Rows that are stored together.
struct ImportedLines {
  const char* file;
  std::uint64_t last;  // line
  std::size_t count;
};

class ImportReader {
 public:
  explicit ImportReader(std::filesystem::path from) : from_(std::move(from)) {}

  // Calls `take` with each row, and `hand_on` with the lines after every `batch` of them and at the
  // end. Throws Error{kBadInput} with the line of a row that `take` refuses.
  template <class Take, class HandOn>
  void read(const char* name, std::size_t batch, Take take, HandOn hand_on) {
    input::RawFile file((from_ / name).string(), input::RawFile::Kind::kRegular);
    buffer_.open(file);
    input::Lines lines(buffer_);
    const std::uint64_t earlier = bytes_;
    ImportedLines held{name, 0, 0};
    for (auto line = lines.next(); line; line = lines.next()) {
      held.last = line->number;
      try {
        take(parsed(*line));
      } catch (const BadRow& bad) {
        fail(name, line->number, bad.what);
      } catch (const Error& error) {
        fail(name, line->number, error.what());
      }
      ++rows_;
      if (++held.count < batch) continue;
      bytes_ = earlier + file.bytes_read();
      hand_on(std::as_const(held));
      held.count = 0;
    }
    bytes_ = earlier + file.bytes_read();
    if (held.count > 0) hand_on(std::as_const(held));
  }

  // Stores lines. Throws Error{kBadInput} with the refused lines: a single one, if `store` throws
  // RefusedRow. From one thread at a time.
  void store(const ImportedLines& lines, const std::function<void()>& store);

  // Whether some of the lines may be stored.
  [[nodiscard]] bool has_stored() const { return has_stored_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  // From any thread.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  // Restarts the count of rows.
  void forget_rows() { rows_ = 0; }
  void forget_all() { bytes_ = rows_ = 0; }

 private:
  [[nodiscard]] Row parsed(const input::Line& line);
  [[noreturn]] void fail(const char* name, std::uint64_t line, std::string_view what) const;

  std::filesystem::path from_;
  simdjson::dom::parser parser_;
  input::TextBuffer buffer_;
  std::uint64_t rows_ = 0;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<bool> has_stored_{false};
};

// Throws BadRow for a value that is neither a string nor a number.
[[nodiscard]] std::vector<settings::SettingChange> settings_of(const Row& row);

// Removes the settings that decide whom the server trusts and how much load it accepts (`http.*`,
// `auth.*`), because an export may come from someone else. Returns the keys of removed settings
// whose value differs here.
[[nodiscard]] std::vector<std::string> leave_out_guarding(
    const Storage& storage, std::vector<settings::SettingChange>& changes);

// A user. Both throw BadRow or Error for impossible values.
[[nodiscard]] User user_of(const Row& row);
// The reading positions of the home feed and of notifications.
[[nodiscard]] ReadingMarks marks_of(const Row& row);

}  // namespace chirp::cli
