#include "cli/load/left_out_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace chirp::cli {
namespace {

constexpr std::uint64_t kNamed = 10;
// The number of reasons shown, and of reasons remembered.
constexpr std::size_t kReasonsTold = 5;
constexpr std::size_t kReasonsMax = 1000;

}  // namespace

void FirstNames::add(const std::string& name) {
  constexpr std::uint64_t kMost = 3;
  if (++count_ <= kMost) names_.push_back(name);
}

std::string FirstNames::words() const {
  const std::uint64_t others = count_ - names_.size();
  const std::string first = fmt::format("{}", fmt::join(names_, ", "));
  return others == 0 ? first : fmt::format("{} and {} more", first, others);
}

bool LeftOutFiles::add(std::string_view name, std::string_view why) {
  if (for_json_) files_.emplace_back(name, why);
  if (++count_ <= kNamed) return true;
  const auto known = others_.find(why);
  if (known != others_.end()) {
    ++known->second;
  } else if (others_.size() < kReasonsMax) {
    others_.emplace(why, 1);
  }
  return false;
}

std::string LeftOutFiles::others() const {
  if (count_ <= kNamed) return {};
  std::vector<std::pair<std::string, std::uint64_t>> reasons(others_.begin(), others_.end());
  std::ranges::stable_sort(reasons,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  std::uint64_t left = count_ - kNamed;
  std::string words = fmt::format("{} more left out (--verbose names all):", grouped(left));
  for (std::size_t i = 0; i < std::min(reasons.size(), kReasonsTold); ++i) {
    words += fmt::format("\n  {}: {}", grouped(reasons[i].second), reasons[i].first);
    left -= reasons[i].second;
  }
  if (left > 0) words += fmt::format("\n  {}: for other reasons", grouped(left));
  return words;
}

void LeftOutFiles::write(api::JsonWriter& json) const {
  if (files_.empty()) return;
  json.key("leftOut").begin_array();
  for (const auto& [name, why] : files_) {
    json.begin_object().field("file", name).field("reason", why).end_object();
  }
  json.end_array();
}

}  // namespace chirp::cli
