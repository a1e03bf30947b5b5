#include "tests/support/fake_outlet.h"

#include <charconv>
#include <stdexcept>
#include <utility>

#include "server/limits.h"

namespace chirp::test {

bool FakeOutlet::send(std::string_view bytes) {
  if (gone_ || closed_) return false;
  if (queue_.size() >= limits::kStreamEventsMax ||
      queued_bytes_ + bytes.size() > limits::kStreamBytesMax) {
    return false;
  }
  sent_.push_back(parse_block(bytes));
  queue_.emplace_back(bytes);
  queued_bytes_ += bytes.size();
  if (speed_ == Speed::kFast) receive(1);
  return true;
}

http::Outlet::Flow FakeOutlet::flow() const {
  if (gone_) return Flow::kGone;
  return queue_.empty() ? Flow::kDrained : Flow::kQueued;
}

void FakeOutlet::receive(std::size_t blocks) {
  for (; blocks != 0 && !queue_.empty() && !gone_; --blocks) {
    received_.push_back(parse_block(queue_.front()));
    queued_bytes_ -= queue_.front().size();
    queue_.pop_front();
  }
}

std::vector<Block> FakeOutlet::take_sent() { return std::exchange(sent_, {}); }
std::vector<Block> FakeOutlet::take_received() { return std::exchange(received_, {}); }

Block parse_block(std::string_view text) {
  Block block;
  if (!text.ends_with("\n\n")) throw std::runtime_error("no whole block");
  text.remove_suffix(1);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (line.starts_with("id: ")) {
      std::uint64_t id = 0;
      std::from_chars(line.data() + 4, line.data() + line.size(), id);
      block.id = id;
      block.id_text = line.substr(4);
    } else if (line.starts_with("event: ")) {
      block.event = line.substr(7);
    } else if (line.starts_with("data: ")) {
      if (!block.data.empty()) throw std::runtime_error("two lines of data");
      block.data = line.substr(6);
    } else if (!line.starts_with(":")) {
      throw std::runtime_error("no line of a block: " + std::string(line));
    }
  }
  return block;
}

std::string json_value(std::string_view json, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\":";
  const std::size_t at = json.find(quoted);
  if (at == std::string_view::npos) return {};
  std::string_view value = json.substr(at + quoted.size());
  const bool text = value.starts_with('"');
  if (text) value.remove_prefix(1);
  return std::string(value.substr(0, value.find_first_of(text ? "\"" : ",}]")));
}

std::string words(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) {
    if (block.event.empty()) continue;
    if (!text.empty()) text += ' ';
    text += block.event;
  }
  return text;
}

const live::EventDigests& digests() {
  static const live::EventDigests kDigests("a directory");
  return kDigests;
}

live::EventId id_in(const Subject& s, std::uint64_t number) {
  return {number, digests().at(*s.see(), Sequence{number / 4})};
}

}  // namespace chirp::test
