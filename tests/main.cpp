#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdlib>
#include <ostream>
#include <string_view>
#include <unistd.h>

#include <doctest/doctest.h>

#include "tests/support/watched_run.h"

namespace {

// Tells which test runs, and after a failed one the seed and the number of worlds that random tests
// took, to run the same again.
class Listener final : public doctest::IReporter {
 public:
  explicit Listener(const doctest::ContextOptions& options) : out_(*options.cout) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    chirp::test::begin_watched_test(test.m_name);
  }

  void test_case_end(const doctest::CurrentTestCaseStats& test) override {
    if (test.failure_flags == 0) return;
    for (const char* name : {"CHIRP_SEED", "CHIRP_WORLDS"}) {
      if (const char* value = std::getenv(name)) out_ << name << '=' << value << '\n';
    }
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::ostream& out_;
};

DOCTEST_REGISTER_LISTENER("watched", 1, Listener);

}  // namespace

// `--watch PROGRAM ARGUMENT…` watches a program instead of the tests.
int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--watch") {
    return chirp::test::run_watched([&] {
      chirp::test::begin_watched_test(argv[2]);
      ::execv(argv[2], argv + 2);
      return 127;
    });
  }
  // However full this machine's disk is; tests of the reserve set it themselves.
  ::setenv("CHIRP_DISK_RESERVE", "0", 1);
  return chirp::test::run_watched([&] { return doctest::Context(argc, argv).run(); });
}
