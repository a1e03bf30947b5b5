#include "core/load/made_up.h"

#include "core/load/seed_random.h"

namespace chirp::load {

SourceId made_up_id(MadeUp what, SourceId actor, SourceId other, std::uint32_t ordinal) {
  std::uint64_t id = mixed(static_cast<std::uint64_t>(what));
  for (const std::uint64_t part : {actor.value, other.value, std::uint64_t{ordinal}}) {
    id = mixed(id ^ part);
  }
  return {kMadeUpBit | id};
}

namespace {

// FNV-1a with a final mix.
SourceId digest(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return {mixed(value ^ text.size())};
}

}  // namespace

SourceId made_up_post(std::string_view author, Time time, std::string_view text,
                      std::uint32_t ordinal) {
  const SourceId when{static_cast<std::uint64_t>(time.ms)};
  const SourceId by = made_up_id(MadeUp::kPost, digest(author), when, 0);
  return {(kMadeUpBit >> 1) | made_up_id(MadeUp::kPost, by, digest(text), ordinal).value};
}

}  // namespace chirp::load
