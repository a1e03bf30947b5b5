#include "tests/support/world_stores.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "store/data_directory.h"
#include "tests/model/storage.h"
#include "tests/model/user_directory.h"
#include "tests/support/citus.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/seeds.h"
#include "tests/support/stores.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

class InMemory final : public WorldStores {
 public:
  [[nodiscard]] Storage& storage() override { return storage_; }
  [[nodiscard]] UserDirectory& users() override { return users_; }

 private:
  model::ModelStorage storage_{kTestMachine};
  model::ModelUserDirectory users_{kTestMachine};
};

class InFolder final : public WorldStores {
 public:
  InFolder() {
    store::make_data_directory(folder_ / "data", kTestMachine);
    directory_ = store::DataDirectory::open(folder_ / "data");
  }
  [[nodiscard]] Storage& storage() override { return directory_->storage(); }
  [[nodiscard]] UserDirectory& users() override { return directory_->users(); }

 private:
  TempFolder folder_;
  std::unique_ptr<store::DataDirectory> directory_;
};

// In what is at `database_.url()`.
template <class Database>
class InDatabase final : public WorldStores {
 public:
  template <class... Arguments>
  explicit InDatabase(Arguments... arguments) : database_(arguments...) {}
  [[nodiscard]] Storage& storage() override { return directory_->storage(); }
  [[nodiscard]] UserDirectory& users() override { return directory_->users(); }

 private:
  Database database_;
  std::unique_ptr<store::DataDirectory> directory_ =
      store::DataDirectory::open(store::DataPlace::named(database_.url()));
};

template <class Stores, auto... kArguments>
std::unique_ptr<WorldStores> make() {
  return std::make_unique<Stores>(kArguments...);
}

constexpr std::size_t kWithoutServers = 2;
constexpr WorldKind kKinds[] = {
    {"memory", make<InMemory>},
    {"folder", make<InFolder>},
    {"postgres", make<InDatabase<PostgresDatabase>, kTestMachine>, 8},
    {"postgres-nodes", make<InDatabase<PostgresNodes>, PostgresNodes::Rows::kPlain>, 32},
    {"postgres-buckets", make<InDatabase<PostgresNodes>, PostgresNodes::Rows::kWithBuckets>, 32},
    {"postgres-citus", make<InDatabase<CitusDatabase>>, 32},
};

}  // namespace

std::span<const WorldKind> world_kinds() {
  const std::span<const WorldKind> all(kKinds);
  if (!has_postgres()) return all.first(kWithoutServers);
  return has_citus() ? all : all.first(all.size() - 1);
}

const WorldKind& named_world_kind() {
  const char* const named = std::getenv("CHIRP_STORES");
  const std::string name = named == nullptr ? "memory" : named;
  const auto kinds = name == "memory" ? std::span<const WorldKind>(kKinds).first(1) : world_kinds();
  const auto kind = std::ranges::find(kinds, name, &WorldKind::name);
  if (kind == kinds.end()) {
    throw std::runtime_error("CHIRP_STORES names stores that are not here: " + name);
  }
  return *kind;
}

bool is_in_share(const WorldKind& kind, std::uint64_t number) {
  return (number + number_in_environment("CHIRP_SWEEP_FROM", 0)) % kind.share == 0;
}

}  // namespace chirp::test
