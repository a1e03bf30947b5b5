// Numbers for source ids that are words, valid while the load runs, so that all ids have 64 bits
// when they are gathered and sorted.
//
// A source's own numbers have 63 bits and stay as they are; the numbers from here have the highest
// bit set. Nothing here is stored. Safe to call from any thread; a load without words never waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/load/source.h"
#include "core/model/source_key.h"
#include "core/ports/row_reader.h"

namespace chirp::load {

// Source ids of things that a load makes up: interactions that name no post, and the posts they
// belong to.
//
// The highest bit is set, which no source's own id has (63 bits); the rest is computed from the
// thing. So the same input makes the same ids in every directory, and loading it again finds them.
// Two things get one id once in some ten billion loads of a million.
enum class MadeUp : std::uint8_t {
  kPlaceholder = 1,  // the i-th for `actor`, who had no more posts; `other` is 0
  kRepost = 2,       // the i-th by `actor` of a post by `other`
  kReply = 3,
  kMention = 4,
  kPost = 5,  // a post without an id
};

constexpr std::uint64_t kMadeUpBit = std::uint64_t{1} << 63;

[[nodiscard]] SourceId made_up_id(MadeUp what, SourceId actor, SourceId other,
                                  std::uint32_t ordinal);
// Returns the id of the i-th post without an id that has this author, time and text. Its two
// highest bits are set, so it differs from the ids of words in a load.
[[nodiscard]] SourceId made_up_post(std::string_view author, Time time, std::string_view text,
                                    std::uint32_t ordinal);
[[nodiscard]] constexpr bool is_made_up(SourceId source) {
  return (source.value & kMadeUpBit) != 0;
}

class Words {
 public:
  // At most so many bytes of words and of their index are kept.
  explicit Words(std::size_t most_bytes = std::size_t{1} << 30) : most_bytes_(most_bytes) {}

  // Made-up ids of posts have the two highest bits set, and are not words.
  [[nodiscard]] static bool is_word(SourceId id) { return (id.value >> 62) == 2; }

  // Returns the word's number, always the same. Throws Error{kInvalidArgument} if there are too
  // many words.
  [[nodiscard]] SourceId id_of(std::string_view word);
  // A number is its own id.
  [[nodiscard]] SourceId id_of(const SourceKey& key) {
    return key.is_word() ? id_of(std::string_view(key.word)) : key.number;
  }
  // Returns the id of a user's word. An account `user@domain` has one id, however it is spelled.
  [[nodiscard]] SourceId user_id_of(std::string_view word);
  [[nodiscard]] SourceId user_id_of(const SourceKey& key) {
    return key.is_word() ? user_id_of(std::string_view(key.word)) : key.number;
  }
  // Other spellings of the account that this load has seen. Older versions stored users under them.
  [[nodiscard]] std::vector<SourceKey> spellings_of(SourceId id) const;
  [[nodiscard]] SourceKey key_of(SourceId id) const;
  [[nodiscard]] std::vector<SourceKey> keys_of(std::span<const SourceId> ids) const;
  // An id that is computed from the word alone, and so is the same in every load; a number stays as
  // it is.
  [[nodiscard]] SourceId lasting(SourceId id) const;

 private:
  static constexpr std::uint64_t kWordBit = std::uint64_t{1} << 63;
  static constexpr std::size_t kChunk = std::size_t{1} << 16;
  // A place in the list and in the table.
  static constexpr std::size_t kWordBytes = 72;

  [[nodiscard]] std::string_view kept(std::string_view word);

  std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  std::size_t chunk_used_ = kChunk;  // of the last chunk
  std::size_t bytes_ = 0;
  std::vector<std::string_view> words_;
  std::unordered_map<std::string_view, std::uint64_t> places_;
  std::unordered_map<std::uint64_t, std::vector<std::string>> spellings_;  // by the id
};

// Returns the number of each existing user. Looks for an account first in its usual spelling, then
// in the spellings that the load has seen.
[[nodiscard]] std::vector<std::optional<UserNumber>> user_numbers(const RowReader& rows,
                                                                  const Words& words,
                                                                  std::span<const SourceId> ids);

}  // namespace chirp::load
