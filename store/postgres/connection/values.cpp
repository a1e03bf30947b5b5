#include "store/postgres/connection/values.h"

#include <utility>

#include "core/error.h"

namespace chirp::postgres {
namespace {

template <class Use>
void for_each_element(std::string_view array, const Use& use) {
  const auto take = [&](std::size_t size) {
    if (array.size() < size) {
      throw Error(ErrorCode::kCorrupt, "PostgreSQL has answered with an array that is cut short.");
    }
    const std::string_view bytes = array.substr(0, size);
    array.remove_prefix(size);
    return bytes;
  };
  const std::int64_t dimensions = number_in(take(4));
  take(8);  // whether there are nulls, and the type
  if (dimensions == 0) return;
  const std::int64_t count = number_in(take(4));
  take(4);  // lower bound
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t size = number_in(take(4));
    use(size < 0 ? std::nullopt : std::optional(take(static_cast<std::size_t>(size))));
  }
}

}  // namespace

Array& Array::raw(std::string_view value) {
  append_big_endian(bytes_, static_cast<std::int32_t>(value.size()));
  bytes_.append(value);
  ++count_;
  return *this;
}

Array& Array::null() {
  append_big_endian(bytes_, std::int32_t{-1});
  has_null_ = true;
  ++count_;
  return *this;
}

std::string Array::done() const {
  std::string array;
  array.reserve(bytes_.size() + 20);
  append_big_endian(array, std::int32_t{count_ == 0 ? 0 : 1});  // dimensions
  append_big_endian(array, std::int32_t{has_null_ ? 1 : 0});
  append_big_endian(array, static_cast<std::uint32_t>(element_));
  if (count_ == 0) return array;
  append_big_endian(array, static_cast<std::int32_t>(count_));
  append_big_endian(array, std::int32_t{1});  // lower bound
  array.append(bytes_);
  return array;
}

Params& Params::null() {
  values_.emplace_back();
  return *this;
}

Params& Params::raw(std::optional<std::string> bytes) {
  values_.push_back(std::move(bytes));
  return *this;
}

std::int64_t number_in(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > 8) {
    throw Error(ErrorCode::kCorrupt, "PostgreSQL has answered with something that is no number.");
  }
  const auto byte_of = [](char byte) { return std::uint64_t{static_cast<unsigned char>(byte)}; };
  // Extends the sign of the first byte.
  constexpr std::uint64_t kSign = 0x80;
  std::uint64_t number = (byte_of(bytes.front()) & kSign) != 0 ? ~std::uint64_t{0} : 0;
  for (const char byte : bytes) number = number << 8U | byte_of(byte);
  return static_cast<std::int64_t>(number);
}

std::vector<std::optional<std::string>> elements_in(std::string_view array) {
  std::vector<std::optional<std::string>> elements;
  for_each_element(
      array, [&](std::optional<std::string_view> element) { elements.emplace_back(element); });
  return elements;
}

std::vector<std::int64_t> numbers_in(std::string_view array) {
  std::vector<std::int64_t> numbers;
  for_each_element(array, [&](std::optional<std::string_view> element) {
    numbers.push_back(number_in(element.value_or("")));
  });
  return numbers;
}

}  // namespace chirp::postgres
