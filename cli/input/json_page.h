// A page of an API: an array of posts, with the users and posts that they refer to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <simdjson.h>

#include "cli/input/fields.h"

namespace chirp::cli::input {

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

}  // namespace chirp::cli::input
