#include "tests/support/stores.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <stdlib.h>
#include <string>

#include "store/lmdb/storage.h"
#include "store/postgres/storage.h"
#include "tests/model/storage.h"
#include "tests/support/citus.h"
#include "tests/support/far_storage.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

class InMemory final : public TestStore {
 public:
  [[nodiscard]] Storage& storage() override { return storage_; }

 private:
  model::ModelStorage storage_{kTestMachine};
};

class FarAway final : public TestStore {
 public:
  [[nodiscard]] Storage& storage() override { return storage_; }

 private:
  model::ModelStorage inner_{kTestMachine};
  FarStorage storage_{inner_};
};

// In memory where the system offers a file system there: durability is not what these tests ask.
std::filesystem::path fresh_folder() {
  const std::filesystem::path shared = "/dev/shm";
  const auto base =
      std::filesystem::is_directory(shared) ? shared : std::filesystem::temp_directory_path();
  std::string name = (base / "chirp-store-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
  return name;
}

class OnLmdb final : public TestStore {
 public:
  OnLmdb() : folder_(fresh_folder()) {
    const auto engine = folder_ / "engine";
    const auto lock = folder_ / "write.lock";
    std::filesystem::create_directory(engine);
    lmdb::create_store(engine, lock, {1, "test", kTestMachine});
    storage_ = lmdb::open_storage(lmdb::Env::open(engine, lock, lmdb::OpenMode::kOpen));
  }
  ~OnLmdb() override {
    storage_.reset();
    std::filesystem::remove_all(folder_);
  }
  OnLmdb(const OnLmdb&) = delete;
  OnLmdb& operator=(const OnLmdb&) = delete;
  [[nodiscard]] Storage& storage() override { return *storage_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Storage> storage_;
};

class OnPostgres final : public TestStore {
 public:
  [[nodiscard]] Storage& storage() override { return *storage_; }

 private:
  PostgresDatabase database_{kTestMachine};
  std::unique_ptr<Storage> storage_ = postgres::open_storage(database_.url());
};

// Over several servers.
template <PostgresNodes::Rows kRows>
class OnNodes final : public TestStore {
 public:
  [[nodiscard]] Storage& storage() override { return *storage_; }

 private:
  PostgresNodes nodes_{kRows};
  std::unique_ptr<Storage> storage_ = postgres::open_storage(nodes_.url());
};

class OnCitus final : public TestStore {
 public:
  [[nodiscard]] Storage& storage() override { return *storage_; }

 private:
  CitusDatabase database_;
  std::unique_ptr<Storage> storage_ = postgres::open_storage(database_.url());
};

constexpr std::size_t kWithoutServers = 3;
constexpr StoreKind kKinds[] = {
    {"memory", []() -> std::unique_ptr<TestStore> { return std::make_unique<InMemory>(); }},
    {"lmdb", []() -> std::unique_ptr<TestStore> { return std::make_unique<OnLmdb>(); }},
    {"far", []() -> std::unique_ptr<TestStore> { return std::make_unique<FarAway>(); }},
    {"postgres", []() -> std::unique_ptr<TestStore> { return std::make_unique<OnPostgres>(); }, 50},
    {"postgres-nodes",
     []() -> std::unique_ptr<TestStore> {
       return std::make_unique<OnNodes<PostgresNodes::Rows::kPlain>>();
     },
     400, 1},
    {"postgres-buckets",
     []() -> std::unique_ptr<TestStore> {
       return std::make_unique<OnNodes<PostgresNodes::Rows::kWithBuckets>>();
     },
     400, 2},
    {"postgres-citus", []() -> std::unique_ptr<TestStore> { return std::make_unique<OnCitus>(); },
     400, 3},
};

}  // namespace

std::uint64_t worlds_on(const StoreKind& kind, std::uint64_t usual) {
  constexpr std::uint64_t kTurns = 2;  // shares of a test, of which each has another remainder
  const std::uint64_t worlds = worlds_or(usual) / kind.worlds_share;
  if (worlds != 0) return worlds;
  const bool is_one_alone = number_in_environment("CHIRP_WORLDS", kWorldsUsual) == 1;
  return is_one_alone || kind.turn == 0 || kind.turn % kTurns == first_seed() % kTurns ? 1 : 0;
}

std::span<const StoreKind> store_kinds() {
  const std::span<const StoreKind> all(kKinds);
  if (!has_postgres()) return all.first(kWithoutServers);
  return has_citus() ? all : all.first(all.size() - 1);
}

const StoreKind& lmdb_kind() {
  const auto kinds = store_kinds();
  return *std::ranges::find(kinds, "lmdb", &StoreKind::name);
}

}  // namespace chirp::test
