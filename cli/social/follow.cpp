// `chirp follow`: follows between users.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/rehearsal.h"
#include "cli/social/field_names.h"
#include "server/json/cursor.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace follow_verbs {
namespace {

struct ChangeOptions {
  std::string name;
  std::vector<std::string> others;
  bool reposts = false;
  bool no_reposts = false;
  bool dry_run = false;
};
struct CheckOptions {
  std::string name;
  std::string other;
};
struct FollowListOptions {
  std::string name;
  ListArguments list;
};

void print_change(Context& context, const ChangeOptions& options,
                  const social::FollowChange& change, std::string_view what) {
  Output& out = context.out();
  if (!out.json()) {
    out.print(fmt::format("{} {}{}\n", counted(change.changed, "follow", "follows"),
                          options.dry_run ? "would be " : "", what));
    return;
  }
  api::JsonWriter json;
  json.begin_object();
  if (options.dry_run) json.field("dryRun", true);
  json.field("changed", change.changed).key("follows").begin_array();
  for (const social::FollowState& state : change.follows) api::write_follow_state(json, state);
  json.end_array().end_object();
  out.document(json);
}

std::optional<Reposts> switched(const ChangeOptions& options) {
  if (options.reposts && options.no_reposts) {
    throw Error(ErrorCode::kInvalidArgument,
                "--reposts and --no-reposts exclude each other. Give one of them.");
  }
  if (!options.reposts && !options.no_reposts) return std::nullopt;
  return options.reposts ? Reposts::kOn : Reposts::kOff;
}

// Resolves the other users. Suspended users can be unfollowed, but nothing else.
std::vector<User> followees_of(const social::Accounts& accounts, const ChangeOptions& options,
                               bool suspended_too) {
  if (!suspended_too) return accounts.resolve_all(options.others);
  std::vector<User> followees;
  for (const std::string& name : options.others) followees.push_back(accounts.resolve_kept(name));
  return followees;
}

// Calls `make` with the follows, the follower and the followees. A dry run changes nothing.
template <class Make>
social::FollowChange changed(Context& context, const ChangeOptions& options, bool suspended_too,
                             Make make) {
  Engine& engine = options.dry_run ? context.engine() : context.writing_engine();
  const User follower = engine.accounts().resolve(options.name);
  const auto followees = followees_of(engine.accounts(), options, suspended_too);
  if (!options.dry_run) return make(engine.follows(), follower, followees);
  Rehearsal rehearsal(engine.storage());
  social::Follows follows(rehearsal, engine.accounts(), engine.clock());
  return make(follows, follower, followees);
}

void run_add(Context& context, const ChangeOptions& options) {
  const auto reposts = switched(options);
  const auto change = changed(context, options, false,
                              [&](social::Follows& follows, const User& who, const auto& whom) {
                                return follows.add(who, whom, reposts);
                              });
  print_change(context, options, change, reposts ? "changed" : "added");
}

void run_remove(Context& context, const ChangeOptions& options) {
  const auto change = changed(context, options, true,
                              [](social::Follows& follows, const User& who, const auto& whom) {
                                return follows.remove(who, whom);
                              });
  print_change(context, options, change, "removed");
}

// Prints unusual facts about the relation, besides the yes or no.
void print_relation(Output& out, const social::Relationship& relation, const std::string& name,
                    const std::string& other) {
  if (relation.blocking) out.note(fmt::format("{} has blocked {}.", name, other));
  if (relation.blocked_by) out.note(fmt::format("{} has blocked {}.", other, name));
  if (relation.muting) out.note(fmt::format("{} has muted {}.", name, other));
  if (relation.following && !relation.showing_reposts) {
    out.note(fmt::format("{} does not see the reposts of {}.", name, other));
  }
}

Status run_check(Context& context, const CheckOptions& options) {
  Engine& engine = context.engine();
  const User user = engine.accounts().resolve(options.name);
  const User other = engine.accounts().resolve(options.other);
  const social::Relationship relation = engine.follows().check(user, other);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) { api::write_relationship(json, relation); })) {
    out.print(relation.following ? "yes\n" : "no\n");
    print_relation(out, relation, user.username, other.username);
  }
  return relation.following ? Status::kDone : Status::kFailed;
}

template <api::FollowSide side>
void run_list(Context& context, const FollowListOptions& options) {
  constexpr bool kFollowing = side == api::FollowSide::kFollowing;
  List<social::FollowEntry> list;
  list.shape = {.key = kFollowing ? "following" : "followers",
                .none = "Nobody.",
                .columns = {{"USERNAME"}, {"NAME"}, {"SINCE"}, {"ID", Align::kRight}}};
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    const UserNumber after = parsed_cursor(cursor, api::parse_number_cursor).value_or(kNobody);
    Engine& engine = context.engine();
    const User user = engine.accounts().resolve(options.name);
    social::FollowPage page = kFollowing ? engine.follows().following(user, after, limit)
                                         : engine.follows().followers(user, after, limit);
    ListPage<social::FollowEntry> entries{std::move(page.follows), {.total = page.total}};
    if (page.next_cursor) entries.end.next = api::number_cursor(*page.next_cursor);
    return entries;
  };
  list.write = api::write_follow;
  list.row = [&](const social::FollowEntry& entry) -> std::vector<std::string> {
    return {entry.user.username, entry.user.display_name,
            when(context.out(), entry.since, context.now()), std::to_string(entry.user.id.value)};
  };
  print_list(context.out(), options.list, list);
}

void add_list(CommandLine& app, Command& noun, const CommandWords& words,
              void (*run)(Context&, const FollowListOptions&)) {
  auto [verb, options] = app.verb<FollowListOptions>(noun, words, run);
  verb.add_option("NAME", options.name, "Whose")->required();
  add_list_arguments(verb, options.list, {kUserPage}, followed_fields());
}

enum class Switches : std::uint8_t { kNone, kReposts };

void add_change(CommandLine& app, Command& noun, const CommandWords& words, Switches switches,
                void (*run)(Context&, const ChangeOptions&)) {
  auto [verb, options] = app.verb<ChangeOptions>(noun, words, run);
  verb.add_option("NAME", options.name, "Who follows")->required();
  verb.add_option("OTHER", options.others, "The accounts to follow or unfollow")->required();
  verb.add_flag("--dry-run", options.dry_run, "Show how many would change, and change nothing");
  if (switches == Switches::kNone) return;
  verb.add_flag("--no-reposts", options.no_reposts,
                "Keep their reposts out of the feed; can be undone");
  verb.add_flag("--reposts", options.reposts, "Show their reposts, as a new follow does");
}

}  // namespace
}  // namespace follow_verbs

void add_follow(CommandLine& app) {
  using namespace follow_verbs;
  Command& noun = app.noun({"follow", "Follow and unfollow; list followers and followed accounts.",
                            "chirp follow add yuki mira tomas\n"
                            "chirp follow followers mira"});
  add_change(app, noun,
             {"add", "Follow users. It is no error if NAME follows them already.",
              "chirp follow add yuki mira\n"
              "chirp follow add yuki mira tomas @zoe\n"
              "chirp follow add yuki mira --no-reposts"},
             Switches::kReposts, run_add);
  add_change(app, noun,
             {"remove", "Unfollow users. It is no error if NAME does not follow them.",
              "chirp follow remove yuki mira\n"
              "chirp follow remove yuki mira tomas --dry-run"},
             Switches::kNone, run_remove);
  {
    auto [verb, options] = app.verb<CheckOptions>(
        noun,
        {"check", "Check whether NAME follows OTHER. The exit status is 0 for yes, 1 for no.",
         "chirp follow check yuki mira && echo yes"},
        run_check);
    verb.add_option("NAME", options.name, "The possible follower")->required();
    verb.add_option("OTHER", options.other, "The account that may be followed")->required();
  }
  add_list(app, noun,
           {"following", "List the accounts that a user follows.",
            "chirp follow following yuki\nchirp follow following yuki --limit 200"},
           run_list<api::FollowSide::kFollowing>);
  add_list(app, noun,
           {"followers", "List the followers of a user.",
            "chirp follow followers mira\nchirp follow followers mira --all --csv --fields "
            "username,followedAt"},
           run_list<api::FollowSide::kFollowers>);
}

}  // namespace chirp::cli
