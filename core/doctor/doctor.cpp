#include "core/doctor/doctor.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/card.h"

namespace chirp::doctor {
namespace {

// What one round repairs may bring to light what the next one has to repair: once an index no
// longer names a post that is gone, the counter turns out to be wrong.
constexpr int kRounds = 4;

bool has(const std::vector<Finding>& findings, std::initializer_list<Kind> kinds) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return std::find(kinds.begin(), kinds.end(), finding.kind) != kinds.end();
  });
}

// Whether nothing is stored of somebody but a card, and the timeline that comes with it.
bool has_card_alone(const Snapshot& snapshot, UserNumber number) {
  const auto traces = snapshot.traces_of(number);
  return std::all_of(traces.begin(), traces.end(),
                     [](std::string_view trace) { return trace == "timeline"; });
}

// A card without a row is left over from a sign-up that was taken back, and is removed. If there
// are posts or follows, the row may have been lost; whether they are to go is not for a repair to
// decide.
void repair_card(Engine& engine, UserNumber number) {
  if (engine.directory().find(number)) {
    return social::bring_cards(engine.storage(), engine.directory(), engine.clock(), {&number, 1});
  }
  if (!has_card_alone(*engine.storage().snapshot(), number)) return;
  const Change change = MarkRemoved{number};
  (void)engine.storage().write({&change, 1}, engine.clock().now());
}

void rebuild_timeline(Engine& engine, UserNumber viewer) {
  // What was there is dropped first: it need not even be readable.
  rules::drop_timeline(engine.storage(), viewer);
  const auto cards = reads::cards(*engine.storage().snapshot(), {&viewer, 1});
  if (cards.front() && cards.front()->presence == Presence::kPresent) {
    engine.feeds().rebuild(viewer);
  }
}

// Runs one step; what can't be read is left for the next examination to tell.
template <class Step>
void attempt(Step step) {
  try {
    step();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
  }
}

std::set<UserNumber> subjects(const std::vector<Finding>& findings,
                              std::initializer_list<Kind> kinds) {
  std::set<UserNumber> result;
  for (const Finding& finding : findings) {
    const bool wanted = std::find(kinds.begin(), kinds.end(), finding.kind) != kinds.end();
    if (wanted && finding.subject != kNobody) result.insert(finding.subject);
  }
  return result;
}

void repair_once(Engine& engine, const std::vector<Finding>& findings) {
  Storage& storage = engine.storage();
  if (has(findings, {Kind::kUsers})) {
    attempt([&] { engine.directory().rebuild_indexes(); });
  }
  if (has(findings, {Kind::kMedia})) {
    attempt([&] { engine.directory().media().repair(); });
  }
  // A damaged index can be the cause of what other checks have found, so indexes are repaired
  // first.
  if (has(findings, {Kind::kStore, Kind::kEdge, Kind::kPost, Kind::kTier})) {
    attempt([&] { storage.repair_indexes(engine.clock().now()); });
  }
  for (const UserNumber user : subjects(findings, {Kind::kCard})) {
    attempt([&] { repair_card(engine, user); });
  }
  attempt([&] {
    const auto left = subjects(findings, {Kind::kRemoval});
    rules::repair_removals(storage, std::vector(left.begin(), left.end()), engine.clock().now());
  });
  finish_half_done(engine);
  for (const UserNumber user : subjects(findings, {Kind::kCounter, Kind::kTier, Kind::kEdge})) {
    attempt([&] {
      const UserCounters actual = counted(*storage.snapshot(), user);
      rules::repair_counters(storage, user, actual, engine.clock().now());
    });
  }
  attempt([&] { repair_contents(storage, findings, engine.clock().now()); });
  if (has(findings, {Kind::kNotification})) {
    attempt([&] { repair_notifications(storage, engine.clock().now()); });
  }
  if (has(findings, {Kind::kHashtag})) {
    attempt([&] { repair_hashtags(storage, engine.clock().now()); });
  }
  if (has(findings, {Kind::kHidden})) {
    attempt([&] { hide_comments(storage, engine.clock().now()); });
  }
  for (const UserNumber user : subjects(findings, {Kind::kTimeline})) {
    attempt([&] { rebuild_timeline(engine, user); });
  }
}

std::vector<std::string> media_problems(const MediaStore& media) {
  std::vector<std::string> problems;
  for (MediaProblem& problem : media.problems()) problems.push_back(std::move(problem.what));
  return problems;
}

}  // namespace

void finish_half_done(Engine& engine) {
  attempt([&] { engine.accounts().resume(); });
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::kUsers:
      return "users";
    case Kind::kStore:
      return "store";
    case Kind::kCard:
      return "card";
    case Kind::kEdge:
      return "edge";
    case Kind::kCounter:
      return "counter";
    case Kind::kPost:
      return "post";
    case Kind::kTimeline:
      return "timeline";
    case Kind::kTier:
      return "tier";
    case Kind::kContent:
      return "content";
    case Kind::kComment:
      return "comment";
    case Kind::kNotification:
      return "notification";
    case Kind::kHidden:
      return "hidden";
    case Kind::kHashtag:
      return "hashtag";
    case Kind::kLog:
      return "log";
    case Kind::kRemoval:
      return "removal";
    case Kind::kSetting:
      return "setting";
    case Kind::kMedia:
      return "media";
    case Kind::kMore:
      return "more";
  }
  return {};
}

void Examination::find(Kind kind, std::string what, UserNumber subject, ContentId content) {
  if (findings_.size() < kFindingsMax) {
    findings_.push_back({kind, std::move(what), subject, content});
  } else {
    ++unlisted_;
  }
}

std::vector<Finding> Examination::take() && {
  if (unlisted_ > 0) {
    findings_.push_back({Kind::kMore, fmt::format("{} more, not listed", unlisted_), kNobody, {}});
  }
  return std::move(findings_);
}

std::string who(const AuthorCard& card) {
  return card.username.empty() ? fmt::format("the removed user {}", card.id.value)
                               : "@" + printable(card.username);
}

namespace {

// Returns what two looks have both found. Other processes keep working, so a finding of only one
// look was in progress.
template <class Found, class Look>
std::vector<Found> confirmed(Look look) {
  std::vector<Found> found = look();
  if (found.empty()) return found;
  const std::vector<Found> again = look();
  std::erase_if(found, [&](const Found& one) {
    return std::find(again.begin(), again.end(), one) == again.end();
  });
  return found;
}

}  // namespace

namespace {

using Check = void (*)(const Stores&, Examination&);
// A part of the examination, and about how many rows it walks over.
struct Part {
  Check check;
  std::uint64_t rows;
};

std::vector<Part> parts_of(const Snapshot& snapshot, const UserDirectory& directory,
                           std::uint64_t timelines_max) {
  auto tables = snapshot.table_rows();
  const std::uint64_t cards = tables["cards"];
  const std::uint64_t posts = tables["posts"];
  const std::uint64_t comments = tables["comments"];
  const std::uint64_t reactions = tables["reactions"];
  // Rows that take longer than others count for several.
  return {{&check_cards, 4 * directory.count() + cards},
          {&check_settings, 0},
          {&check_neighbourhoods, 4 * cards + posts},
          {&check_marks, tables["marks"]},
          {&check_posts, 4 * posts},
          {&check_contents, 2 * (comments + reactions) + posts},
          {&check_hidden_comments, comments},
          {&check_notifications, tables["notifications"] + tables["events"]},
          {&check_hashtags, tables["tag_uses"] + tables["tag_posts"]},
          {&check_log, tables["events"]},
          {&check_timelines, 50 * std::min(tables["timelines"], timelines_max)}};
}

}  // namespace

std::vector<Finding> examine(Engine& engine,
                             const std::function<void(const Checked&)>& on_checked) {
  ExamineOptions options;
  options.checked = on_checked;
  return examine(engine, options);
}

std::vector<Finding> examine(Engine& engine, const ExamineOptions& options) {
  Examination exam(options.checked);
  for (const std::string& problem :
       confirmed<std::string>([&] { return engine.directory().problems(); })) {
    exam.find(Kind::kUsers, problem);
  }
  for (const std::string& problem :
       confirmed<std::string>([&] { return media_problems(engine.directory().media()); })) {
    exam.find(Kind::kMedia, problem, kNobody);
  }
  const auto snapshot = engine.storage().snapshot();
  Walk walk(*snapshot, engine.clock(), options.walk);
  const auto parts = parts_of(*snapshot, engine.directory(), options.timelines_max);
  std::vector<std::uint64_t> planned{0};
  for (const auto& [table, rows] : snapshot->table_rows()) planned.front() += rows;
  for (const Part& part : parts) planned.push_back(part.rows);
  walk.plan(planned);
  walk.begin_part();
  for (const std::string& problem : snapshot->problems_on(walk)) exam.find(Kind::kStore, problem);
  const Stores stores{walk,
                      *snapshot,
                      engine.storage(),
                      engine.directory(),
                      engine.clock(),
                      options.timelines_max,
                      options.users_at_once};
  for (const Part& part : parts) {
    walk.begin_part();
    try {
      part.check(stores, exam);
    } catch (const Error& error) {
      // A record that can't be read ends this part alone.
      if (error.code() != ErrorCode::kCorrupt) throw;
      exam.find(Kind::kStore, error.what());
    }
  }
  return std::move(exam).take();
}

std::vector<Finding> repair(Engine& engine, std::vector<Finding> findings,
                            const ExamineOptions& options) {
  ExamineOptions again = options;
  again.checked = [](const Checked&) {};
  for (int round = 0; round < kRounds && !findings.empty(); ++round) {
    repair_once(engine, findings);
    auto left = examine(engine, again);
    if (left == findings) break;
    findings = std::move(left);
  }
  return findings;
}

}  // namespace chirp::doctor
