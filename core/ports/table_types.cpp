#include "core/ports/table_types.h"

#include <array>

namespace chirp {
namespace {

template <class Number>
void add_big_endian(std::string& bytes, Number number) {
  for (std::size_t left = sizeof number; left-- > 0;) {
    bytes += static_cast<char>(static_cast<unsigned char>(number >> (8 * left)));
  }
}
template <class Tag, class Number>
void add_field(std::string& bytes, StrongId<Tag, Number> id) {
  add_big_endian(bytes, id.value);
}
void add_field(std::string& bytes, Relation relation) {
  add_big_endian(bytes, static_cast<std::uint32_t>(relation));
}
void add_field(std::string& bytes, const std::string& text) { bytes += text; }
// Terminates a text that is not the last field of its key. Such texts are hashtags, without zeros.
template <class Field>
void end_field(std::string& bytes) {
  if constexpr (std::is_same_v<Field, std::string>) bytes += '\0';
}

template <class T>
struct Steps {
  using Key = typename T::Key;
  using Row = typename T::Row;
  struct Held {
    Key key;
    std::optional<Row> row;
  };

  static const Key& key_at(const void* key) { return *static_cast<const Key*>(key); }
  static const Row& row_at(const void* row) { return *static_cast<const Row*>(row); }

  static std::string bytes(const void* key) {
    std::string bytes(1, static_cast<char>(kIndexOf<T>));
    with_fields(key_at(key), [&](const auto&... fields) {
      std::size_t left = sizeof...(fields);
      const auto add = [&]<class Field>(const Field& field) {
        add_field(bytes, field);
        if (--left != 0) end_field<Field>(bytes);
      };
      (add(fields), ...);
    });
    return bytes;
  }
  static AnyRow keep(const void* key, const void* row) {
    const auto held = std::make_shared<Held>();
    held->key = key_at(key);
    assign(&held->row, row);
    return {&table_type<T>(), held, &held->key, held->row ? &*held->row : nullptr};
  }
  static void assign(void* found, const void* row) {
    auto& optional = *static_cast<std::optional<Row>*>(found);
    if (row == nullptr) {
      optional.reset();
    } else {
      optional = row_at(row);
    }
  }
  static void append(void* pairs, const void* key, const void* row) {
    static_cast<RowPairs<T>*>(pairs)->emplace_back(key_at(key), row_at(row));
  }
};

template <class... T>
constexpr std::array<TableType, sizeof...(T)> types_of(TableList<T...> /*tables*/) {
  return {TableType{kIndexOf<T>, &Steps<T>::bytes, &Steps<T>::keep, &Steps<T>::assign,
                    &Steps<T>::append}...};
}
constexpr auto kTypes = types_of(AllTables{});

}  // namespace

const TableType& table_type(std::size_t index) { return kTypes[index]; }

std::pair<AnyRows::const_iterator, AnyRows::const_iterator> rows_of_table(const AnyRows& rows,
                                                                          const TableType& type) {
  const auto first_of = [&](std::size_t index) {
    return rows.lower_bound(std::string(1, static_cast<char>(index)));
  };
  return {first_of(type.index), first_of(type.index + 1)};
}

}  // namespace chirp
