// Parameters of PostgreSQL statements, in the binary format: big-endian numbers.
//
// A statement gives the type of each parameter ("$1::bigint"), and the value must have the same
// width. An example, for "… where id = any($1::bigint[]) and name = $2::text":
//
//   Params params;
//   params.add(ids.done()).text(name);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::postgres {

// OIDs of PostgreSQL's types, the same in every database.
enum class Type : std::uint32_t {
  kBool = 16,
  kBytea = 17,
  kInt8 = 20,
  kInt2 = 21,
  kInt4 = 23,
  kText = 25,
};

// `bytes` is in the type's binary format.
template <class Number>
void append_big_endian(std::string& bytes, Number number) {
  for (std::size_t i = sizeof number; i-- > 0;) {
    bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i)));
  }
}

// A one-dimensional array.
class Array {
 public:
  explicit Array(Type element) : element_(element) {}

  template <class Number>
  Array& number(Number value) {
    append_big_endian(bytes_, std::int32_t{sizeof value});
    append_big_endian(bytes_, value);
    ++count_;
    return *this;
  }
  Array& raw(std::string_view value);  // text and bytea
  Array& null();

  [[nodiscard]] std::size_t size() const { return count_; }
  // The array header, and the elements.
  [[nodiscard]] std::string done() const;

 private:
  Type element_;
  bool has_null_ = false;
  std::size_t count_ = 0;
  std::string bytes_;
};

class Params {
 public:
  Params& int8(std::int64_t value) { return number(value); }
  Params& int4(std::int32_t value) { return number(value); }
  Params& int2(std::int16_t value) { return number(value); }
  Params& boolean(bool value) { return raw(std::string(1, value ? '\1' : '\0')); }
  Params& text(std::string_view value) { return raw(std::string(value)); }
  Params& bytes(std::string_view value) { return raw(std::string(value)); }
  Params& null();
  Params& add(const Array& array) { return raw(array.done()); }
  // A value in its type's binary format, or null.
  Params& raw(std::optional<std::string> bytes);

  [[nodiscard]] const std::vector<std::optional<std::string>>& values() const { return values_; }

 private:
  template <class Number>
  Params& number(Number value) {
    std::string bytes;
    append_big_endian(bytes, value);
    return raw(std::move(bytes));
  }

  std::vector<std::optional<std::string>> values_;
};

// The elements of a one-dimensional array, each in its type's binary format, or null. Throws
// Error{kCorrupt} for anything else.
[[nodiscard]] std::vector<std::optional<std::string>> elements_in(std::string_view array);
// The numbers of an array of int2, int4 or int8 without nulls, from a result. Throws
// Error{kCorrupt} for anything else.
[[nodiscard]] std::vector<std::int64_t> numbers_in(std::string_view array);

// A number of one to eight bytes.
[[nodiscard]] std::int64_t number_in(std::string_view bytes);

}  // namespace chirp::postgres
