#include "core/load/words.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/error.h"
#include "core/load/seed_random.h"
#include "core/model/account_address.h"
#include "core/ports/reads.h"

namespace chirp::load {

SourceId Words::id_of(std::string_view word) {
  const std::lock_guard lock(mutex_);
  if (const auto found = places_.find(word); found != places_.end()) {
    return {kWordBit | found->second};
  }
  bytes_ += word.size() + kWordBytes;
  if (bytes_ > most_bytes_) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("These are more than {} ids that are words, and a load keeps all of "
                            "them in memory. Load the files one after the other, or in parts.",
                            words_.size()));
  }
  const std::uint64_t place = words_.size();
  words_.push_back(kept(word));
  places_.emplace(words_.back(), place);
  return {kWordBit | place};
}

SourceId Words::user_id_of(std::string_view word) {
  if (word.find('@') == std::string_view::npos) return id_of(word);
  const std::string address = account_address(word);
  const SourceId id = id_of(std::string_view(address));
  if (address == word) return id;
  const std::lock_guard lock(mutex_);
  std::vector<std::string>& known = spellings_[id.value];
  if (std::ranges::find(known, word) != known.end()) return id;
  known.emplace_back(word);
  bytes_ += word.size() + kWordBytes;
  return id;
}

std::vector<SourceKey> Words::spellings_of(SourceId id) const {
  const std::lock_guard lock(mutex_);
  std::vector<SourceKey> keys;
  if (const auto known = spellings_.find(id.value); known != spellings_.end()) {
    for (const std::string& word : known->second) keys.emplace_back(word);
  }
  return keys;
}

// Copies the bytes to a place where they stay.
std::string_view Words::kept(std::string_view word) {
  check(word.size() <= kChunk, "a word fits a chunk");
  if (chunk_used_ + word.size() > kChunk) {
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(kChunk));
    chunk_used_ = 0;
  }
  char* const at = chunks_.back().get() + chunk_used_;
  std::memcpy(at, word.data(), word.size());
  chunk_used_ += word.size();
  return {at, word.size()};
}

SourceKey Words::key_of(SourceId id) const {
  if (!is_word(id)) return id;
  const std::lock_guard lock(mutex_);
  return SourceKey(std::string(words_.at(id.value & ~kWordBit)));
}

std::vector<SourceKey> Words::keys_of(std::span<const SourceId> ids) const {
  std::vector<SourceKey> keys;
  keys.reserve(ids.size());
  for (const SourceId id : ids) keys.push_back(key_of(id));
  return keys;
}

SourceId Words::lasting(SourceId id) const {
  if (!is_word(id)) return id;
  return {kWordBit | digest_of(key_of(id).word)};
}

std::vector<std::optional<UserNumber>> user_numbers(const RowReader& rows, const Words& words,
                                                    std::span<const SourceId> ids) {
  if (std::ranges::none_of(ids, Words::is_word)) return reads::numbers_of(rows, ids);
  auto numbers = reads::numbers_of(rows, std::span<const SourceKey>(words.keys_of(ids)));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (numbers[i]) continue;
    const auto spellings = words.spellings_of(ids[i]);
    for (const auto& other : reads::numbers_of(rows, std::span<const SourceKey>(spellings))) {
      if (!numbers[i]) numbers[i] = other;
    }
  }
  return numbers;
}

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
