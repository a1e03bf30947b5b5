// The fields of a client's JSON object. Reading a field notes errors; check() throws all of them at
// once as a 422, so that a form can show each error at its field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/problem.h"

namespace chirp::api {

enum class Need : std::uint8_t { kOptional, kRequired };

class JsonBody {
 public:
  // Throws Problem 400 unless `text` is one JSON object in valid UTF-8, at most
  // limits::kJsonDepthMax deep, without duplicate keys. An empty text is an object without fields.
  explicit JsonBody(std::string_view text);
  ~JsonBody();
  JsonBody(JsonBody&&) noexcept;
  JsonBody& operator=(JsonBody&&) noexcept;

  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] bool is_null(std::string_view field) const;

  // Each notes an error and returns empty if the field is missing but required, or of another type.
  [[nodiscard]] std::optional<std::string> string(std::string_view field, Need need);
  [[nodiscard]] std::optional<bool> boolean(std::string_view field, Need need);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view field, Need need,
                                                    std::int64_t least, std::int64_t most);
  // A decimal string of 1 to 19 digits; null counts as missing if `need` is kOptional.
  [[nodiscard]] std::optional<std::uint64_t> id(std::string_view field, Need need);
  [[nodiscard]] std::optional<std::vector<std::string>> strings(std::string_view field, Need need,
                                                                std::size_t least,
                                                                std::size_t most);
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> ids(std::string_view field, Need need,
                                                              std::size_t least, std::size_t most);

  // Notes another error.
  void fault(std::string field, std::string message);
  // Throws Problem 422 if there are errors.
  void check() const;

 private:
  class Fields;
  std::unique_ptr<Fields> fields_;
};

}  // namespace chirp::api
