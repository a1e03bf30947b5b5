// `chirp log tail`: the event log, newest events last.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/process.h"
#include "cli/table.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace {

using events::Event;
using events::Topic;

struct TailOptions {
  std::optional<std::string> topic;
  std::optional<std::string> limit;
  bool follow = false;
  ListArguments form;
};

constexpr std::uint32_t kEventsAtOnce = 1000;  // events read at once
constexpr std::uint32_t kTailDefault = 20;     // events shown at first
constexpr std::uint32_t kTailMax = 1'000'000;
constexpr int kPollMs = 100;

// The cards of the users that some events are about.
class EventPeople {
 public:
  EventPeople(const Snapshot& snapshot, const std::vector<Event>& events) {
    std::vector<UserNumber> numbers;
    for (const Event& event : events) {
      numbers.push_back(event.actor);
      numbers.push_back(event.other);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const auto cards = reads::cards(snapshot, numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (cards[i]) cards_.emplace(numbers[i], *cards[i]);
    }
  }

  [[nodiscard]] UserId id(UserNumber number) const {
    const auto found = cards_.find(number);
    return found == cards_.end() ? UserId{} : found->second.id;
  }
  // `@mira`, or the id of a removed user.
  [[nodiscard]] std::string who(UserNumber number) const {
    const auto found = cards_.find(number);
    if (found == cards_.end()) return "?";
    if (found->second.username.empty()) return std::to_string(found->second.id.value);
    return "@" + found->second.username;
  }

 private:
  std::map<UserNumber, AuthorCard> cards_;
};

std::string_view tier_name(const Event& event) {
  return feed::name(static_cast<feed::Tier>(event.rows));
}

void write_subject(api::JsonWriter& json, const Event& event, const EventPeople& people) {
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kPostRemoved:
      json.field("postId", event.post).field("authorId", people.id(event.actor));
      json.field("privacy", chirp::name(event.privacy));
      break;
    case Topic::kRepostCreated:
    case Topic::kRepostRemoved:
      json.field("postId", event.post).field("authorId", people.id(event.other));
      break;
    case Topic::kReactionSet:
    case Topic::kReactionRemoved:
      json.field("postId", event.post).field("authorId", people.id(event.other));
      if (event.comment != kNoComment) json.field("commentId", event.comment);
      if (event.reaction) json.field("likeType", chirp::name(*event.reaction));
      break;
    case Topic::kCommentCreated:
    case Topic::kCommentRemoved:
      json.field("postId", event.post).field("authorId", people.id(event.other));
      json.field("commentId", event.comment);
      break;
    case Topic::kMentionCreated:
      json.field("postId", event.post);
      if (event.comment != kNoComment) json.field("commentId", event.comment);
      json.field("userId", people.id(event.other));
      break;
    case Topic::kBlockAdded:
    case Topic::kBlockRemoved:
    case Topic::kMuteAdded:
    case Topic::kMuteRemoved:
      json.field("userId", people.id(event.other));
      break;
    case Topic::kFollowAdded:
    case Topic::kFollowRemoved:
    case Topic::kFollowSwitched:
      json.field("followerId", people.id(event.actor));
      json.field("followingId", people.id(event.other));
      break;
    case Topic::kUserCreated:
    case Topic::kUserEdited:
    case Topic::kUserRemoved:
    case Topic::kUserSuspended:
    case Topic::kUserUnsuspended:
    case Topic::kTierChanged:
      json.field("userId", people.id(event.actor));
      break;
    case Topic::kLoadBatch:
      json.field("rows", event.rows);
      break;
  }
}

FieldNames event_fields() {
  return {"sequence",  "topic",    "time",       "actorId",     "postId", "authorId", "privacy",
          "commentId", "likeType", "followerId", "followingId", "userId", "rows"};
}

std::string json_of(const Event& event, const EventPeople& people) {
  api::JsonWriter json;
  json.begin_object();
  json.field("sequence", event.sequence.value);
  json.field("topic", events::name(event.topic));
  json.field("time", event.time);
  if (event.actor != kNobody) json.field("actorId", people.id(event.actor));
  write_subject(json, event, people);
  json.end_object();
  return json.take();
}

std::string subject(const Event& event, const EventPeople& people) {
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kPostRemoved:
    case Topic::kRepostCreated:
    case Topic::kRepostRemoved:
      return fmt::format("{} {}", people.who(event.actor), event.post.value);
    case Topic::kReactionSet:
    case Topic::kReactionRemoved:
      return fmt::format("{} {} {}", people.who(event.actor), name(*event.reaction),
                         event.comment != kNoComment ? event.comment.value : event.post.value);
    case Topic::kCommentCreated:
    case Topic::kCommentRemoved:
      return fmt::format("{} {}", people.who(event.actor), event.comment.value);
    case Topic::kMentionCreated:
    case Topic::kBlockAdded:
    case Topic::kBlockRemoved:
    case Topic::kMuteAdded:
    case Topic::kMuteRemoved:
    case Topic::kFollowAdded:
    case Topic::kFollowRemoved:
    case Topic::kFollowSwitched:
      return fmt::format("{} {}", people.who(event.actor), people.who(event.other));
    case Topic::kTierChanged:
      return fmt::format("{} {}", people.who(event.actor), tier_name(event));
    case Topic::kLoadBatch:
      return fmt::format("{} rows", event.rows);
    case Topic::kUserCreated:
    case Topic::kUserEdited:
    case Topic::kUserRemoved:
    case Topic::kUserSuspended:
    case Topic::kUserUnsuspended:
      return people.who(event.actor);
  }
  return {};
}

bool wanted(const TailOptions& options, const Event& event) {
  return !options.topic || events::matches(*options.topic, events::name(event.topic));
}

// The newest `limit` events that match the options, oldest first.
std::vector<Event> newest(const Snapshot& snapshot, const TailOptions& options, std::size_t limit) {
  const StoreState state = snapshot.state();
  std::vector<Event> found;  // newest first
  std::uint64_t end = state.log_end.value;
  while (end > state.log_first.value && found.size() < limit) {
    const std::uint64_t kept = end - state.log_first.value;
    const auto take = static_cast<std::uint32_t>(std::min<std::uint64_t>(kept, kEventsAtOnce));
    const auto block = reads::events(snapshot, Sequence{end - take}, take);
    for (auto at = block.rbegin(); at != block.rend() && found.size() < limit; ++at) {
      if (wanted(options, *at)) found.push_back(*at);
    }
    end -= take;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// The output format of events.
struct Form {
  bool json = false;
  bool csv = false;
  std::optional<FieldChoice> fields;
};

std::string line_for_programs(Form& form, const std::string& json) {
  if (form.csv) return csv_row(form.fields->cells(json));
  return (form.fields ? form.fields->chosen(json) : json) + "\n";
}

// Formats events, from a snapshot that is released before anything is written.
std::string lines_of(Form& form, const Snapshot& snapshot, const std::vector<Event>& events) {
  const EventPeople people(snapshot, events);
  std::string lines;
  for (const Event& event : events) {
    if (form.json || form.csv) {
      lines += line_for_programs(form, json_of(event, people));
    } else {
      lines += fmt::format("{}\t{}\t{}\t{}\n", event.sequence.value, iso8601(event.time),
                           events::name(event.topic), safe(subject(event, people)));
    }
  }
  return lines;
}

// Prints new events from `from` on. Returns the position to go on at.
Sequence print_new(Context& context, const TailOptions& options, Form& form, Sequence from) {
  std::string lines;
  {
    const auto snapshot = context.engine().storage().snapshot();
    // Skips events that were trimmed meanwhile.
    from = std::max(from, snapshot->state().log_first);
    auto block = reads::events(*snapshot, from, kEventsAtOnce);
    if (!block.empty()) from = Sequence{block.back().sequence.value + 1};
    std::erase_if(block, [&](const Event& event) { return !wanted(options, event); });
    lines = lines_of(form, *snapshot, block);
  }
  context.out().print(lines);
  context.out().flush();
  return from;
}

void follow(Context& context, const TailOptions& options, Form& form, Sequence from) {
  catch_interrupts();
  const Storage& storage = context.engine().storage();
  std::uint64_t version = 0;
  while (!context.out().closed()) {
    const Sequence before = from;
    if (storage.version() != version) {
      // The readable version: the store announces a commit slightly before it can be read.
      version = storage.snapshot()->state().version;
      from = print_new(context, options, form, from);
    }
    // After a full block there may be more.
    if (from.value - before.value == kEventsAtOnce) {
      version = 0;
      continue;
    }
    if (pause_ms(kPollMs) != PauseEnd::kOver) return;
  }
}

void check_pattern(std::string_view pattern) {
  const bool gap = pattern.empty() || pattern.front() == '.' || pattern.back() == '.' ||
                   pattern.find("..") != std::string_view::npos;
  if (!gap) return;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--topic takes words between dots, such as post.* or #.removed, not "
                          "\"{}\".",
                          printable(pattern)));
}

void run_tail(Context& context, const TailOptions& options) {
  if (options.topic) check_pattern(*options.topic);
  const std::size_t limit =
      options.limit ? parse_number("--limit", *options.limit, 1, kTailMax) : kTailDefault;
  Output& out = context.out();
  if (options.follow) out.unpaged();
  Form form{out.json(), options.form.csv, chosen_fields(out, options.form)};
  Sequence end;
  std::string lines;
  {
    const auto snapshot = context.engine().storage().snapshot();
    end = snapshot->state().log_end;
    lines = lines_of(form, *snapshot, newest(*snapshot, options, limit));
  }
  if (form.csv) out.print(csv_row(form.fields->names()));
  out.print(lines);
  out.flush();
  if (options.follow) follow(context, options, form, end);
}

}  // namespace

void add_log(CommandLine& app) {
  Command& noun = app.noun({"log", "The event log.", "chirp log tail --topic 'post.*' --follow"});
  auto [verb, options] = app.verb<TailOptions>(noun,
                                               {"tail", "The newest events, newest last.",
                                                "chirp log tail\n"
                                                "chirp log tail --topic 'follow.*'\n"
                                                "chirp log tail --follow --json"},
                                               run_tail);
  verb.page();
  add_text(verb, "--topic", options.topic, "PATTERN",
           "Show only these topics: * matches one word, # any number of words");
  add_text(verb, "--limit", options.limit, "N", "How many events to show at first (default: 20)");
  add_form_arguments(verb, options.form, event_fields());
  verb.add_flag("--follow", options.follow, "Show new events as well, until interrupted");
}

}  // namespace chirp::cli
