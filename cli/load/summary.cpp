#include "cli/load/summary.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/progress.h"
#include "cli/table.h"

namespace chirp::cli {
namespace {

// Turns "selfLoops" into "self loops".
std::string spaced(std::string_view name) {
  std::string words;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      words += ' ';
      words += static_cast<char>(c - 'A' + 'a');
    } else {
      words += c;
    }
  }
  return words;
}

double rate_of(const LoadSummary& summary) {
  return summary.seconds > 0 ? static_cast<double>(summary.read) / summary.seconds : 0;
}

void print_json(Output& out, const LoadSummary& summary) {
  api::JsonWriter json;
  json.begin_object();
  if (summary.preview != nullptr) {
    json.field("dryRun", true);
    summary.preview->write(json);
    json.field("read", summary.read).field("wouldStore", summary.counts.stored);
    json.field("newUsers", summary.counts.users_added);
  } else {
    json.field("read", summary.read).field("stored", summary.counts.stored);
  }
  json.key("skipped").begin_object();
  for (const auto& [why, n] : summary.skipped) json.field(why, n);
  json.end_object();
  if (summary.left_out != nullptr) summary.left_out->write(json);
  if (summary.counts.given_up > 0) json.field("givenUp", summary.counts.given_up);
  if (summary.not_stored) json.field("notStored", *summary.not_stored);
  json.field("errors", summary.errors).field("bytes", summary.bytes);
  if (summary.preview == nullptr && summary.counts.users_added > 0) {
    json.field("newUsers", summary.counts.users_added);
  }
  json.field("seconds", summary.seconds).field("rate", rate_of(summary)).end_object();
  out.document(json);
}

}  // namespace

Skipped skipped_of(Skipped always, const Skipped& others) {
  std::ranges::copy_if(others, std::back_inserter(always),
                       [](const auto& reason) { return reason.second > 0; });
  return always;
}

void print_summary(Output& out, const LoadSummary& summary) {
  if (out.json()) return print_json(out, summary);
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&facts](std::string name, std::string value) {
    facts.emplace_back(std::move(name), std::move(value));
  };
  const auto add_if_any = [&add](std::string name, std::uint64_t n) {
    if (n > 0) add(std::move(name), grouped(n));
  };
  if (summary.preview != nullptr) summary.preview->print(out);
  add("read", fmt::format("{} {}", grouped(summary.read), summary.rows));
  add(summary.preview != nullptr ? "would store" : "stored", grouped(summary.counts.stored));
  add_if_any("reposts among them", summary.counts.reposts);
  add_if_any("comments among them", summary.counts.comments);
  add_if_any("reactions among them", summary.counts.reactions);
  add_if_any("follows among them", summary.counts.follows);
  add_if_any("blocks and mutes among them", summary.counts.relations);
  add_if_any("files kept", summary.counts.media);
  add_if_any("originals from inside", summary.counts.originals);
  add_if_any("placeholders made", summary.counts.placeholders);
  add_if_any("given up, too many waited", summary.counts.given_up);
  for (const auto& [why, n] : summary.skipped) add_if_any("skipped, " + spaced(why), n);
  if (summary.not_stored) add_if_any("read but not stored", *summary.not_stored);
  add_if_any("bad lines", summary.errors);
  add_if_any("new users", summary.counts.users_added);
  add_if_any("users renamed", summary.counts.users_renamed);
  add_if_any("names cut or numbered", summary.counts.names_changed);
  add_if_any("control characters taken out", summary.counts.control_characters);
  if (summary.bytes > 0) add("input", short_bytes(summary.bytes));
  add("time", short_seconds(summary.seconds));
  if (summary.seconds > 0 && !summary.not_stored) {
    add("rate", fmt::format("{} {}/s", short_number(rate_of(summary)), summary.rows));
  }
  print_facts(out, facts);
}

namespace {

// Text without its final full stop, so that another clause can follow.
std::string_view without_stop(std::string_view words) {
  if (words.ends_with('.')) words.remove_suffix(1);
  return words;
}

}  // namespace

Error stopped_load(const Error& error, const StoppedLoad& load) {
  std::string words = fmt::format("{}. The load has stopped. Stored: {} {}",
                                  without_stop(error.what()), grouped(load.stored), load.rows);
  if (load.not_stored > 0) {
    words += fmt::format("; read but not stored: {}", grouped(load.not_stored));
  }
  words += ". ";
  if (error.field() == "outcome") {
    words += "The last batch is stored either as a whole or not at all. ";
  }
  words +=
      load.is_bad_line
          ? "Correct the line and run the same command again: it skips what is stored. Or skip "
            "bad lines with --max-errors N."
          : "Run the same command again when that is mended: it skips what is stored.";
  return Error(error.code(), words, error.field());
}

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
