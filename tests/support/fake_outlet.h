// The sending end of a stream without a socket, the blocks sent, and the ids of messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/exchange.h"
#include "server/live/event_ids.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

// One block of server-sent events.
struct Block {
  std::optional<std::uint64_t> id;  // the message number …
  std::string id_text;              // … and the id with its digest
  std::string event;                // empty for a comment
  std::string data;
};

// Reads as fast as the test wants. One thread.
class FakeOutlet final : public http::Outlet {
 public:
  enum class Speed : std::uint8_t { kFast, kSlow };
  explicit FakeOutlet(Speed speed = Speed::kFast) : speed_(speed) {}

  bool send(std::string_view bytes) override;
  [[nodiscard]] Flow flow() const override;
  void close() override { closed_ = true; }
  void cut() override { leave(); }

  // Lets a slow reader receive this many blocks.
  void receive(std::size_t blocks);
  void leave() { gone_ = true; }
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] std::size_t queued() const { return queue_.size(); }
  // Return what was sent, and what the reader received, since the last call.
  [[nodiscard]] std::vector<Block> take_sent();
  [[nodiscard]] std::vector<Block> take_received();

 private:
  Speed speed_;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  std::vector<Block> sent_;
  std::vector<Block> received_;
  bool gone_ = false;
  bool closed_ = false;
};

[[nodiscard]] Block parse_block(std::string_view text);
// Returns the first value of a key in a JSON object, without quotes.
[[nodiscard]] std::string json_value(std::string_view json, std::string_view key);
// The events without comments, one letter or word each: `post post_removed counts`.
[[nodiscard]] std::string words(const std::vector<Block>& blocks);

// The digests of the events of a history, and the id of one of its messages.
[[nodiscard]] const live::EventDigests& digests();
[[nodiscard]] live::EventId id_in(const Subject& s, std::uint64_t number);

}  // namespace chirp::test
