#include "store/postgres/rows/timeline_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/model/ids.h"
#include "store/postgres/rows/packed.h"

namespace chirp::postgres {
namespace {

constexpr std::uint64_t kLow = (std::uint64_t{1} << snowflake::kTimeShift) - 1;

// Precedes the count of a run that stores authors once. It exceeds any count, so a reader that
// takes it for a count reports damage.
constexpr std::uint64_t kNamesOnce = (std::uint64_t{1} << 21) - 1;
// Entries from which this form is smaller.
constexpr std::size_t kLong = 8;
constexpr std::size_t kLookBack = 128;

// The distance from the last entry back to the previous entry of its author; 0 if none is near.
std::size_t steps_back(std::span<const Entry> entries) {
  const UserNumber author = entries.back().author;
  const std::size_t most = std::min(entries.size() - 1, kLookBack);
  for (std::size_t back = 1; back <= most; ++back) {
    if (entries[entries.size() - 1 - back].author == author) return back;
  }
  return 0;
}

// Encodes the author of the last entry, in a run that stores authors once.
std::uint64_t author_code(std::span<const Entry> entries) {
  const std::size_t back = steps_back(entries);
  return back != 0 ? back << 1 | 1 : std::uint64_t{entries.back().author.value} << 1;
}

std::uint64_t read_id(Unpacker& in, std::uint64_t before) {
  if (before == 0) return in.varint();
  const std::uint64_t step = in.varint();
  const std::uint64_t low = (step & 1) != 0 ? in.varint() & kLow : before & kLow;
  if (step >> 1 > snowflake::ticks(before)) in.broken();
  return ((snowflake::ticks(before) - (step >> 1)) << snowflake::kTimeShift) | low;
}

UserNumber named_author(Unpacker& in, std::uint64_t number) {
  if (number >> 32 != 0) in.broken();
  return UserNumber{static_cast<std::uint32_t>(number)};
}

// Decodes author_code(); `run` holds the entries before it.
UserNumber coded_author(Unpacker& in, std::uint64_t code, std::span<const Entry> run) {
  if ((code & 1) == 0) return named_author(in, code >> 1);
  const std::uint64_t back = code >> 1;
  if (back == 0 || back > run.size()) in.broken();
  return run[run.size() - back].author;
}

void add_run(Unpacker& in, std::vector<Entry>& entries) {
  std::uint64_t left = in.varint();
  const bool names_once = left == kNamesOnce;
  if (names_once) left = in.varint();
  const std::size_t begin = entries.size();
  for (std::uint64_t id = 0; left != 0; --left) {
    id = read_id(in, id);
    const std::uint64_t said = in.varint();
    const UserNumber author = names_once
                                  ? coded_author(in, said >> 1, std::span(entries).subspan(begin))
                                  : named_author(in, said >> 1);
    entries.push_back(
        {PostId{id}, author, (said & 1) != 0 ? Origin::kBackfilled : Origin::kPushed});
  }
}

}  // namespace

std::string packed_run(std::span<const Entry> entries) {
  if (entries.empty()) return {};
  Packer out;
  const bool names_once = entries.size() >= kLong;
  if (names_once) out.varint(kNamesOnce);
  out.varint(entries.size());
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const std::uint64_t id = entry.id.value;
    if (before == 0) {
      out.varint(id);
    } else {
      const bool differs = (before & kLow) != (id & kLow);
      out.varint((snowflake::ticks(before) - snowflake::ticks(id)) << 1 | (differs ? 1U : 0U));
      if (differs) out.varint(id & kLow);
    }
    const std::uint64_t author =
        names_once ? author_code(entries.first(i + 1)) : std::uint64_t{entry.author.value};
    out.varint(author << 1 | (entry.origin == Origin::kBackfilled ? 1U : 0U));
    before = id;
  }
  return out.bytes();
}

std::vector<Entry> entries_in(std::string_view runs) {
  std::vector<Entry> entries;
  Unpacker in(runs, "a timeline");
  while (!in.done()) add_run(in, entries);
  return entries;
}

}  // namespace chirp::postgres
