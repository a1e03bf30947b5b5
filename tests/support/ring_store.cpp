#include "tests/support/ring_store.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/rules/writing.h"
#include "store/lmdb/storage.h"

namespace chirp::test {

RingStore::RingStore(std::uint32_t users) {
  const auto engine = folder_ / "engine";
  const auto lock = folder_ / "write.lock";
  std::filesystem::create_directory(engine);
  lmdb::create_store(engine, lock, {1, "ring", snowflake::kMachineDefault});
  env_ = lmdb::Env::open(engine, lock, lmdb::OpenMode::kOpen);
  storage_ = lmdb::open_storage(env_);
  std::vector<AuthorCard> cards;
  std::vector<LoadedEdge> edges;
  for (std::uint32_t i = 1; i <= users; ++i) {
    AuthorCard card;
    card.number = UserNumber{i};
    card.id = UserId{i};
    card.username = card.display_name = "u" + std::to_string(i);
    cards.push_back(card);
    edges.push_back({UserNumber{i}, UserNumber{i % users + 1}});
  }
  rules::load_cards(*storage_, cards, now());
  for (std::span<const LoadedEdge> rest = edges; !rest.empty();) {
    rest = rest.subspan(rules::load_edges(*storage_, rest, now()).taken);
  }
}

}  // namespace chirp::test
