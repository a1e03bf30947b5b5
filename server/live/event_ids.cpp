#include "server/live/event_ids.h"

#include <charconv>

#include <fmt/format.h>

#include "core/ports/reads.h"
#include "server/json/number_in.h"

namespace chirp::live {
namespace {

constexpr std::size_t kNumberDigitsMax = 19;
constexpr std::size_t kDigestDigits = 8;

std::optional<std::uint32_t> parse_digest(std::string_view text) {
  if (text.size() != kDigestDigits) return std::nullopt;
  std::uint32_t digest = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digest, 16);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  // Our ids have no capital letters.
  return whole && fmt::format("{:08x}", digest) == text ? std::optional(digest) : std::nullopt;
}

}  // namespace

std::optional<EventId> parse_event_id(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view digits = text.substr(0, dash);
  const auto number = api::number_in<std::uint64_t>(digits);
  if (!number || digits.size() > kNumberDigitsMax) return std::nullopt;
  if (dash == std::string_view::npos) return EventId{*number};
  const auto digest = parse_digest(text.substr(dash + 1));
  return digest ? std::optional(EventId{*number, digest}) : std::nullopt;
}

std::string event_id_text(std::uint64_t number, std::uint32_t digest) {
  return fmt::format("{}-{:08x}", number, digest);
}

EventDigests::EventDigests(std::string_view secret)
    : key_{sip_hash({}, 'a', secret), sip_hash({}, 'b', secret)} {}

std::uint32_t EventDigests::of(const events::Event& event) const {
  const auto type = [](const std::optional<ReactionType>& reaction) {
    return reaction ? static_cast<int>(*reaction) : -1;
  };
  const std::string text = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{}", event.sequence.value, static_cast<int>(event.topic),
      event.time.ms, event.actor.value, event.other.value, event.post.value, event.rows,
      event.original.value, event.comment.value, event.parent.value,
      static_cast<int>(event.privacy), type(event.reaction), type(event.reaction_before));
  return static_cast<std::uint32_t>(sip_hash(key_, 'e', text));
}

std::optional<std::uint32_t> EventDigests::at(const ContentReader& snapshot,
                                              Sequence sequence) const {
  if (sequence == Sequence{0}) return of(events::Event{});
  const auto found = reads::events(snapshot, sequence, 1);
  if (found.empty() || found.front().sequence != sequence) return std::nullopt;
  return of(found.front());
}

}  // namespace chirp::live
