// Maps the fields of a row to columns. One description of a table (store/postgres/rows/shapes.h)
// serves three purposes: column names and types, writing, and reading.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/reaction.h"
#include "core/model/source_key.h"
#include "core/model/time.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/rows/packed.h"

namespace chirp::postgres {

struct Column {
  std::string name;
  Type type;
  bool is_null = false;  // nullable
};

[[nodiscard]] std::string_view name_of(Type type);

// ---- scalars

template <class Field>
struct NumberOf {  // enums and plain numbers
  static constexpr Type kType = std::is_enum_v<Field> ? Type::kInt2
                                : sizeof(Field) == 8  ? Type::kInt8
                                                      : Type::kInt4;
  static std::int64_t number(const Field& field) { return static_cast<std::int64_t>(field); }
  static Field field(std::int64_t number) { return static_cast<Field>(number); }
};
template <class Tag, class Number>
struct NumberOf<StrongId<Tag, Number>> {
  static constexpr Type kType = NumberOf<Number>::kType;
  static std::int64_t number(StrongId<Tag, Number> id) {
    return NumberOf<Number>::number(id.value);
  }
  static StrongId<Tag, Number> field(std::int64_t number) {
    return {NumberOf<Number>::field(number)};
  }
};
// Any 64-bit number, because it comes from another program. The sign bit is flipped, so the
// database orders these numbers as chirp does.
template <>
struct NumberOf<SourceId> {
  static constexpr Type kType = Type::kInt8;
  static constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  static std::int64_t number(SourceId id) { return static_cast<std::int64_t>(id.value ^ kHalf); }
  static SourceId field(std::int64_t number) {
    return {static_cast<std::uint64_t>(number) ^ kHalf};
  }
};
template <>
struct NumberOf<Time> {
  static constexpr Type kType = Type::kInt8;
  static std::int64_t number(Time time) { return time.ms; }
  static Time field(std::int64_t number) { return {number}; }
};

template <class Field>
constexpr Type type_of() {
  if constexpr (std::is_same_v<Field, std::string>) {
    return Type::kText;
  } else {
    return NumberOf<Field>::kType;
  }
}

// Adds a number to an array of this type.
void add_number(Array& array, Type type, std::int64_t number);

// The fields of a key, in order. Texts in keys are bytea and ordered as bytes. Ids of chirp are
// below 2^63 and user numbers below 2^31; higher values, as at the ends of ranges, map to the
// largest number.
template <class Field>
constexpr Type key_type_of() {
  return std::is_same_v<Field, std::string> ? Type::kBytea : type_of<Field>();
}
template <class Field>
void add_key(Array& array, const Field& field) {
  if constexpr (std::is_same_v<Field, std::string>) {
    array.raw(field);
  } else {
    using Number = NumberOf<Field>;
    std::int64_t number = Number::number(field);
    if (!std::is_same_v<Field, SourceId> && number < 0) {
      number = std::numeric_limits<std::int64_t>::max();
    }
    if (Number::kType == Type::kInt4) {
      number = std::min<std::int64_t>(number, std::numeric_limits<std::int32_t>::max());
    }
    add_number(array, Number::kType, number);
  }
}

// ---- packed columns

[[nodiscard]] std::string packed(const std::vector<Medium>& media);
[[nodiscard]] std::string packed(const std::vector<std::string>& tags);
[[nodiscard]] std::string packed(const ContentCounters& counters);
void unpack(std::string_view bytes, std::vector<Medium>& media);
void unpack(std::string_view bytes, std::vector<std::string>& tags);
void unpack(std::string_view bytes, ContentCounters& counters);

// ---- three uses of a description

// In a description, `io(name, field)` is a column; `io.rare` is null while the field is empty;
// `io.source` is two columns, one of them null; `io.packed` is bytea; `io.key` is a field of the
// key, not a column.
class ColumnNames {
 public:
  template <class Field>
  void operator()(std::string_view name, const Field& /*field*/) {
    columns.push_back({std::string(name), type_of<Field>()});
  }
  template <class Field>
  void operator()(std::string_view name, const std::optional<Field>& /*field*/) {
    columns.push_back({std::string(name), type_of<Field>(), true});
  }
  template <class Field>
  void rare(std::string_view name, const Field& /*field*/) {
    columns.push_back({std::string(name), type_of<Field>(), true});
  }
  void source(std::string_view name, const std::optional<SourceKey>& /*source*/) {
    columns.push_back({std::string(name), Type::kInt8, true});
    columns.push_back({std::string(name) + "_word", Type::kText, true});
  }
  template <class Field>
  void packed(std::string_view name, const Field& /*field*/) {
    columns.push_back({std::string(name), Type::kBytea, true});
  }
  template <class Field, class Key>
  void key(const Field& /*field*/, const Key& /*key*/) {}

  std::vector<Column> columns;
};

// An array for each column.
class ColumnWriter {
 public:
  explicit ColumnWriter(const std::vector<Column>& columns) {
    for (const Column& column : columns) arrays_.emplace_back(column.type);
  }
  void next_row() { at_ = 0; }
  template <class Field>
  void operator()(std::string_view /*name*/, const Field& field) {
    if constexpr (std::is_same_v<Field, std::string>) {
      next().raw(field);
    } else {
      add_number(next(), type_of<Field>(), NumberOf<Field>::number(field));
    }
  }
  template <class Field>
  void operator()(std::string_view name, const std::optional<Field>& field) {
    if (field) {
      (*this)(name, *field);
    } else {
      next().null();
    }
  }
  template <class Field>
  void rare(std::string_view name, const Field& field) {
    (*this)(name, field == Field{} ? std::nullopt : std::optional<Field>(field));
  }
  void source(std::string_view name, const std::optional<SourceKey>& source) {
    const bool is_word = source && source->is_word();
    (*this)(name, source && !is_word ? std::optional(source->number) : std::nullopt);
    (*this)(name, is_word ? std::optional(source->word) : std::nullopt);
  }
  template <class Field>
  void packed(std::string_view /*name*/, const Field& field) {
    if (field == Field{}) {
      next().null();
    } else {
      next().raw(postgres::packed(field));
    }
  }
  template <class Field, class Key>
  void key(const Field& /*field*/, const Key& /*key*/) {}

  void add_to(Params& params) const {
    for (const Array& array : arrays_) params.add(array);
  }

 private:
  Array& next() { return arrays_[at_++]; }

  std::vector<Array> arrays_;
  std::size_t at_ = 0;
};

// Reads one row of a result, starting at a column.
class ColumnReader {
 public:
  ColumnReader(const Result& result, int row, int column)
      : result_(result), row_(row), column_(column) {}
  template <class Field>
  void operator()(std::string_view /*name*/, Field& field) {
    if constexpr (std::is_same_v<Field, std::string>) {
      field = result_.text(row_, column_++);
    } else {
      field = NumberOf<Field>::field(result_.number(row_, column_++));
    }
  }
  template <class Field>
  void operator()(std::string_view name, std::optional<Field>& field) {
    if (result_.is_null(row_, column_)) {
      ++column_;
      field.reset();
    } else {
      (*this)(name, field.emplace());
    }
  }
  template <class Field>
  void rare(std::string_view name, Field& field) {
    std::optional<Field> found;
    (*this)(name, found);
    field = found.value_or(Field{});
  }
  void source(std::string_view name, std::optional<SourceKey>& source) {
    std::optional<SourceId> number;
    std::optional<std::string> word;
    (*this)(name, number);
    (*this)(name, word);
    source.reset();
    if (number) source = SourceKey(*number);
    if (word) source = SourceKey(*word);
  }
  template <class Field>
  void packed(std::string_view /*name*/, Field& field) {
    field = Field{};
    if (!result_.is_null(row_, column_)) unpack(result_.bytes(row_, column_), field);
    ++column_;
  }
  template <class Field, class Key>
  void key(Field& field, const Key& key) {
    field = Field{key};
  }
  // A field of a key; texts are bytes.
  template <class Field>
  void read_key(Field& field) {
    (*this)({}, field);
  }

 private:
  const Result& result_;
  int row_;
  int column_;
};

}  // namespace chirp::postgres
