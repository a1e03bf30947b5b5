#include "store/postgres/rows/columns.h"

namespace chirp::postgres {

std::string_view name_of(Type type) {
  switch (type) {
    case Type::kBool:
      return "bool";
    case Type::kBytea:
      return "bytea";
    case Type::kInt8:
      return "int8";
    case Type::kInt2:
      return "int2";
    case Type::kInt4:
      return "int4";
    case Type::kText:
      return "text";
  }
  return "";
}

void add_number(Array& array, Type type, std::int64_t number) {
  if (type == Type::kInt8) {
    array.number(number);
  } else if (type == Type::kInt4) {
    array.number(static_cast<std::int32_t>(number));
  } else {
    array.number(static_cast<std::int16_t>(number));
  }
}

std::string packed(const std::vector<Medium>& media) {
  Packer out;
  for (const Medium& medium : media) {
    out.varint(medium.upload.value);
    out.text(medium.address);
    out.text(medium.alt_text);
  }
  return out.bytes();
}

void unpack(std::string_view bytes, std::vector<Medium>& media) {
  Unpacker in(bytes, "a post's media");
  while (!in.done()) {
    Medium& medium = media.emplace_back();
    medium.upload = {in.varint()};
    medium.address = in.text();
    medium.alt_text = in.text();
  }
}

std::string packed(const std::vector<std::string>& tags) {
  Packer out;
  for (const std::string& tag : tags) out.text(tag);
  return out.bytes();
}

void unpack(std::string_view bytes, std::vector<std::string>& tags) {
  Unpacker in(bytes, "a post's hashtags");
  while (!in.done()) tags.emplace_back(in.text());
}

std::string packed(const ContentCounters& counters) {
  Packer out;
  for (const std::int64_t of_type : counters.reactions) out.zigzag(of_type);
  out.zigzag(counters.comments);
  out.zigzag(counters.reposts);
  return out.bytes();
}

void unpack(std::string_view bytes, ContentCounters& counters) {
  Unpacker in(bytes, "a post's counters");
  for (std::int64_t& of_type : counters.reactions) of_type = in.zigzag();
  counters.comments = in.zigzag();
  counters.reposts = in.zigzag();
}

}  // namespace chirp::postgres
