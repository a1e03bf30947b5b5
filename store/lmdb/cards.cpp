#include "store/lmdb/cards.h"

namespace chirp::lmdb {
namespace {

constexpr std::uint8_t kRemoved = 1;
constexpr std::uint8_t kHasSource = 2;
constexpr std::uint8_t kHasPicture = 4;

}  // namespace

AuthorCard decode_card(Bytes key, Bytes value) {
  RecordReader in(Table::kCards, key, value);
  AuthorCard card;
  card.number = user_at(key);
  card.presence = in.flags() & kRemoved ? Presence::kRemoved : Presence::kPresent;
  card.id = {in.fixed<std::uint64_t>()};
  if (in.flags() & kHasSource) card.source = SourceId{in.fixed<std::uint64_t>()};
  if (in.flags() & kHasPicture) card.picture = {in.fixed<std::uint64_t>()};
  card.username = in.text();
  // Most display names are the username; they take no room.
  const Bytes display = in.text();
  card.display_name = display.empty() ? card.username : display;
  return card;
}

bool is_present(const Item& card) {
  return !(RecordReader(Table::kCards, card.key, card.value).flags() & kRemoved);
}

bool is_present(const Txn& txn, UserNumber number) {
  const auto k = key(number);
  const auto value = txn.get(Table::kCards, k);
  return value && is_present(Item{k, *value});
}

std::uint8_t encode_card(RecordWriter& out, const AuthorCard& card) {
  out.fixed(card.id.value);
  if (card.source) out.fixed(card.source->value);
  if (card.picture != MediaId{}) out.fixed(card.picture.value);
  out.text(card.username);
  out.text(card.display_name == card.username ? Bytes{} : Bytes(card.display_name));
  return static_cast<std::uint8_t>((card.presence == Presence::kRemoved ? kRemoved : 0) |
                                   (card.source ? kHasSource : 0) |
                                   (card.picture != MediaId{} ? kHasPicture : 0));
}

}  // namespace chirp::lmdb
