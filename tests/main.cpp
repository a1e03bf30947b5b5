#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <cstdlib>
#include <ostream>

#include <doctest/doctest.h>

namespace chirp::test {
namespace {

// After each failed test: the seed and the number of worlds that random tests took, to run the same
// again.
class SeedNote final : public doctest::IReporter {
 public:
  explicit SeedNote(const doctest::ContextOptions& options) : out_(*options.cout) {}

  void test_case_end(const doctest::CurrentTestCaseStats& test) override {
    if (test.failure_flags == 0) return;
    for (const char* name : {"CHIRP_SEED", "CHIRP_WORLDS"}) {
      if (const char* value = std::getenv(name)) out_ << name << '=' << value << '\n';
    }
  }
  void report_query(const doctest::QueryData& /*data*/) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& /*stats*/) override {}
  void test_case_start(const doctest::TestCaseData& /*test*/) override {}
  void test_case_reenter(const doctest::TestCaseData& /*test*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*thrown*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*part*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*checked*/) override {}
  void log_message(const doctest::MessageData& /*message*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*test*/) override {}

 private:
  std::ostream& out_;
};

DOCTEST_REGISTER_LISTENER("seed note", 1, SeedNote);

}  // namespace
}  // namespace chirp::test
