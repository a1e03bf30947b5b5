// The known members of a JSON object, found through the table of fields; pages of an API; media.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <simdjson.h>

#include "cli/input/fields.h"
#include "cli/input/notations.h"
#include "cli/input/times.h"
#include "core/load/source.h"

namespace chirp::cli::input {

// Returns the text of a value. Empty if the value is not a string.
[[nodiscard]] std::string_view text_of(const simdjson::dom::element& value);
[[nodiscard]] std::string_view text_in(const simdjson::dom::object& object, std::string_view key);
// Returns the member if it is an object.
[[nodiscard]] std::optional<simdjson::dom::object> object_in(const simdjson::dom::object& object,
                                                             std::string_view key);

class JsonFields {
 public:
  static JsonFields of_post(const simdjson::dom::object& object);
  static JsonFields of_user(const simdjson::dom::object& object);

  // The value under the field's best name, or null.
  [[nodiscard]] const simdjson::dom::element* get(Field field) const {
    return has(field) ? &values_[index(field)] : nullptr;
  }
  [[nodiscard]] bool has(Field field) const { return rank(field) != kNoRank; }
  [[nodiscard]] unsigned rank(Field field) const { return ranks_[index(field)]; }
  [[nodiscard]] std::string_view text(Field field) const {
    return has(field) ? text_of(values_[index(field)]) : std::string_view();
  }
  void put(const FieldName& name, const simdjson::dom::element& value);
  void drop(Field field) { ranks_[index(field)] = kNoRank; }

  simdjson::dom::object self;
  std::optional<simdjson::dom::object> user;
  std::optional<simdjson::dom::object> repeated;  // the post that this one repeats
  std::optional<simdjson::dom::object> extended;
  bool has_odd_original = false;  // `retweeted_status` is not an object
  bool has_text_key = false;      // also if it is null
  Platform service = Platform::kAny;
  std::string made_id;  // for a post whose id is composed of several members; else empty

 private:
  static constexpr unsigned kNoRank = std::numeric_limits<unsigned>::max();
  static std::size_t index(Field field) { return static_cast<std::size_t>(field); }

  JsonFields() { ranks_.fill(kNoRank); }
  template <class Meaning>
  void read(const simdjson::dom::object& object, Meaning meaning);
  void read_path(const std::string& path, const simdjson::dom::element& value);
  void put_named(const FieldName& name, const simdjson::dom::element& value);
  void tell_service();

  std::array<simdjson::dom::element, kFields> values_;
  std::array<unsigned, kFields> ranks_;
};

// Returns an id as text: the string, or the digits of a number. Empty for any other value.
[[nodiscard]] std::optional<std::string> json_id_text(const simdjson::dom::element& value);

// Reads an id with `read`. A number is read like its digits.
template <class Read>
std::optional<SourceId> json_id(const simdjson::dom::element& value, Read read) {
  std::uint64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) {
    return number <= load::kSourceIdMax ? std::optional(SourceId{number})
                                        : read(std::string_view(std::to_string(number)));
  }
  if (double real = 0; value.get(real) == simdjson::SUCCESS) return source_id(real);
  return read(text_of(value));
}

[[nodiscard]] inline std::optional<Time> json_time(const simdjson::dom::element& value,
                                                   const Times& times) {
  if (std::int64_t number = 0; value.get(number) == simdjson::SUCCESS) return unix_time(number);
  if (double number = 0; value.get(number) == simdjson::SUCCESS) return unix_time(number);
  return times.read(text_of(value));
}

// A page of an API: an array of posts, with the users and posts that they refer to.
class JsonPage {
 public:
  // Empty if the object is not a page: `data` of Twitter's API, or `statuses`.
  static std::optional<JsonPage> of(const simdjson::dom::object& object);

  [[nodiscard]] const std::vector<simdjson::dom::object>& objects() const { return objects_; }
  [[nodiscard]] Platform service() const { return service_; }
  // The user or post with this id, if it is among those that come with the posts.
  [[nodiscard]] std::optional<simdjson::dom::object> user(const simdjson::dom::element& id) const;
  [[nodiscard]] std::optional<simdjson::dom::object> post(const simdjson::dom::element& id) const;

 private:
  using ById = std::unordered_map<std::string, simdjson::dom::object>;

  std::vector<simdjson::dom::object> objects_;
  ById users_;
  ById posts_;
  Platform service_ = Platform::kAny;
};

// Reads the media in a post's members; either may be null. Each is a text or an array of texts;
// addresses may also be objects with `url`, and `description` or `altText`. The n-th description
// belongs to the n-th address; an unmatched one becomes a medium without an address.
[[nodiscard]] std::vector<load::SourceMedium> media_of(const simdjson::dom::element* addresses,
                                                       const simdjson::dom::element* alt_texts);

}  // namespace chirp::cli::input
