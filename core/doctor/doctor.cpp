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

// A repair may reveal more: once an index no longer has a missing post, the counter turns out to be
// wrong.
constexpr int kRounds = 4;

bool has(const std::vector<Finding>& findings, std::initializer_list<FindingKind> kinds) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return std::find(kinds.begin(), kinds.end(), finding.kind) != kinds.end();
  });
}

// Whether a user has only a card and its timeline.
bool has_card_alone(const Snapshot& snapshot, UserNumber number) {
  const auto traces = snapshot.traces_of(number);
  return std::all_of(traces.begin(), traces.end(),
                     [](std::string_view trace) { return trace == "timeline"; });
}

// A card without a row is left over from an undone sign-up, and is removed. If there are posts or
// follows, the row may have been lost, and a repair must not decide whether to remove them.
void repair_card(Engine& engine, UserNumber number) {
  if (engine.directory().find(number)) {
    return social::bring_cards(engine.storage(), engine.directory(), engine.clock(), {&number, 1});
  }
  if (!has_card_alone(*engine.storage().snapshot(), number)) return;
  const Change change = MarkRemoved{number};
  (void)engine.storage().write({&change, 1}, engine.clock().now());
}

void rebuild_timeline(Engine& engine, UserNumber viewer) {
  // Drops the stored timeline first, because it may be unreadable.
  rules::drop_timeline(engine.storage(), viewer);
  const auto cards = reads::cards(*engine.storage().snapshot(), {&viewer, 1});
  if (cards.front() && cards.front()->presence == Presence::kPresent) {
    engine.feeds().rebuild(viewer);
  }
}

// Runs one step. The next examination reports what can't be read.
template <class Step>
void attempt(Step step) {
  try {
    step();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCorrupt) throw;
  }
}

std::set<UserNumber> subjects(const std::vector<Finding>& findings,
                              std::initializer_list<FindingKind> kinds) {
  std::set<UserNumber> result;
  for (const Finding& finding : findings) {
    const bool wanted = std::find(kinds.begin(), kinds.end(), finding.kind) != kinds.end();
    if (wanted && finding.subject != kNobody) result.insert(finding.subject);
  }
  return result;
}

void repair_once(Engine& engine, const std::vector<Finding>& findings) {
  Storage& storage = engine.storage();
  if (has(findings, {FindingKind::kUsers})) {
    attempt([&] { engine.directory().rebuild_indexes(); });
  }
  if (has(findings, {FindingKind::kMedia})) {
    attempt([&] { engine.directory().media().repair(); });
  }
  // Indexes are repaired first, because a damaged index can cause other findings.
  if (has(findings,
          {FindingKind::kStore, FindingKind::kEdge, FindingKind::kPost, FindingKind::kTier})) {
    attempt([&] { storage.repair_indexes(engine.clock().now()); });
  }
  for (const UserNumber user : subjects(findings, {FindingKind::kCard})) {
    attempt([&] { repair_card(engine, user); });
  }
  attempt([&] {
    const auto left = subjects(findings, {FindingKind::kRemoval});
    rules::repair_removals(storage, std::vector(left.begin(), left.end()), engine.clock().now());
  });
  finish_half_done(engine);
  for (const UserNumber user :
       subjects(findings, {FindingKind::kCounter, FindingKind::kTier, FindingKind::kEdge})) {
    attempt([&] {
      const UserCounters actual = counted(*storage.snapshot(), user);
      rules::repair_counters(storage, user, actual, engine.clock().now());
    });
  }
  attempt([&] { repair_contents(storage, findings, engine.clock().now()); });
  if (has(findings, {FindingKind::kNotification})) {
    attempt([&] { repair_notifications(storage, engine.clock().now()); });
  }
  if (has(findings, {FindingKind::kHashtag})) {
    attempt([&] { repair_hashtags(storage, engine.clock().now()); });
  }
  if (has(findings, {FindingKind::kHidden})) {
    attempt([&] { hide_comments(storage, engine.clock().now()); });
  }
  for (const UserNumber user : subjects(findings, {FindingKind::kTimeline})) {
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

std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::kUsers:
      return "users";
    case FindingKind::kStore:
      return "store";
    case FindingKind::kCard:
      return "card";
    case FindingKind::kEdge:
      return "edge";
    case FindingKind::kCounter:
      return "counter";
    case FindingKind::kPost:
      return "post";
    case FindingKind::kTimeline:
      return "timeline";
    case FindingKind::kTier:
      return "tier";
    case FindingKind::kContent:
      return "content";
    case FindingKind::kComment:
      return "comment";
    case FindingKind::kNotification:
      return "notification";
    case FindingKind::kHidden:
      return "hidden";
    case FindingKind::kHashtag:
      return "hashtag";
    case FindingKind::kLog:
      return "log";
    case FindingKind::kRemoval:
      return "removal";
    case FindingKind::kSetting:
      return "setting";
    case FindingKind::kMedia:
      return "media";
    case FindingKind::kMore:
      return "more";
  }
  return {};
}

void Examination::find(FindingKind kind, std::string what, UserNumber subject, ContentId content) {
  if (findings_.size() < kFindingsMax) {
    findings_.push_back({kind, std::move(what), subject, content});
  } else {
    ++unlisted_;
  }
}

std::vector<Finding> Examination::take() && {
  if (unlisted_ > 0) {
    findings_.push_back(
        {FindingKind::kMore, fmt::format("{} more, not listed", unlisted_), kNobody, {}});
  }
  return std::move(findings_);
}

std::string who(const AuthorCard& card) {
  return card.username.empty() ? fmt::format("the removed user {}", card.id.value)
                               : "@" + printable(card.username);
}

namespace {

// Returns the findings of both of two checks. Other processes keep working, so a finding of only
// one was in progress.
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

using Check = void (*)(const CheckInput&, Examination&);
// A part of the examination, with the approximate number of rows it reads.
struct WeighedCheck {
  Check check;
  std::uint64_t rows;
};

std::vector<WeighedCheck> parts_of(const Snapshot& snapshot, const UserDirectory& directory,
                                   std::uint64_t timelines_max) {
  auto tables = snapshot.table_rows();
  const std::uint64_t cards = tables["cards"];
  const std::uint64_t posts = tables["posts"];
  const std::uint64_t comments = tables["comments"];
  const std::uint64_t reactions = tables["reactions"];
  // Rows that take longer count several times.
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
    exam.find(FindingKind::kUsers, problem);
  }
  for (const std::string& problem :
       confirmed<std::string>([&] { return media_problems(engine.directory().media()); })) {
    exam.find(FindingKind::kMedia, problem, kNobody);
  }
  const auto snapshot = engine.storage().snapshot();
  Walk walk(*snapshot, engine.clock(), options.walk);
  const auto parts = parts_of(*snapshot, engine.directory(), options.timelines_max);
  std::vector<std::uint64_t> planned{0};
  for (const auto& [table, rows] : snapshot->table_rows()) planned.front() += rows;
  for (const WeighedCheck& part : parts) planned.push_back(part.rows);
  walk.plan(planned);
  walk.begin_part();
  for (const std::string& problem : snapshot->problems_on(walk))
    exam.find(FindingKind::kStore, problem);
  const CheckInput stores{walk,
                          *snapshot,
                          engine.storage(),
                          engine.directory(),
                          engine.clock(),
                          options.timelines_max,
                          options.users_at_once};
  for (const WeighedCheck& part : parts) {
    walk.begin_part();
    try {
      part.check(stores, exam);
    } catch (const Error& error) {
      // A damaged record ends only this part.
      if (error.code() != ErrorCode::kCorrupt) throw;
      exam.find(FindingKind::kStore, error.what());
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
