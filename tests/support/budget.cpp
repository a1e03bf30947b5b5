#include "tests/support/budget.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

constexpr std::chrono::seconds kSilence{15};

}  // namespace

std::string torture_at() {
  const char* text = std::getenv("CHIRP_TORTURE_AT");
  return text == nullptr ? "" : text;
}

Budget::Budget(std::string_view what) : what_(what), seed_(first_seed()) {
  const std::uint64_t seconds = number_in_environment("CHIRP_TORTURE_SECONDS", 0);
  if (seconds > 0) end_ = begin_ + std::chrono::seconds(seconds);
}

bool Budget::over() const { return end_ && Clock::now() >= *end_; }

bool Budget::next() {
  ++rounds_;
  ++seed_;
  if (thorough()) say();
  return thorough() && !over();
}

void Budget::tried(std::uint64_t count) {
  tried_ += count;
  if (thorough() && Clock::now() - said_ >= kSilence) say();
}

void Budget::say() {
  said_ = Clock::now();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(said_ - begin_).count();
  fmt::print(stderr, "{}: {} tried in {} s, {} rounds done, seed {}\n", what_, tried_, seconds,
             rounds_, seed_);
}

}  // namespace chirp::test
