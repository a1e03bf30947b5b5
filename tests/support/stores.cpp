#include "tests/support/stores.h"

#include "store/memory/storage.h"

namespace chirp::test {
namespace {

class InMemory final : public TestStore {
 public:
  [[nodiscard]] Storage& storage() override { return storage_; }

 private:
  memory::MemoryStorage storage_{kTestMachine};
};

constexpr StoreKind kKinds[] = {
    {"memory", []() -> std::unique_ptr<TestStore> { return std::make_unique<InMemory>(); }},
};

}  // namespace

std::span<const StoreKind> store_kinds() { return kKinds; }

}  // namespace chirp::test
