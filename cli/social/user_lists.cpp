// `chirp user list`, `chirp user blocks` and `chirp user mutes`.
#include <algorithm>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "server/json/cursor.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace user_list_verbs {
namespace {

using social::UserView;

struct UserListOptions {
  std::optional<std::string> match;
  std::optional<std::string> email;
  std::optional<std::string> since;
  std::optional<std::string> until;
  bool suspended = false;
  ListArguments list;
};
struct RelatedOptions {
  std::string name;
  ListArguments list;
};

std::string count(std::int64_t n) { return std::to_string(std::max<std::int64_t>(n, 0)); }

// A list of users without its source of rows.
List<UserView> people(Context& context) {
  List<UserView> list;
  list.shape = {.key = "users",
                .none = "Nobody.",
                .columns = {{"USERNAME"},
                            {"NAME"},
                            {"E-MAIL"},
                            {"SIGNED UP"},
                            {"FOLLOWERS", Align::kRight},
                            {"FOLLOWING", Align::kRight},
                            {"POSTS", Align::kRight},
                            {"ID", Align::kRight}}};
  list.write = [](api::JsonWriter& json, const UserView& view) {
    api::write_user(json, view, api::Email::kShow);
  };
  list.row = [&](const UserView& view) -> std::vector<std::string> {
    return {view.user.username,
            view.user.display_name,
            view.user.email.value_or(""),
            when(context.out(), view.user.created_at, context.now()),
            count(view.counters.followers),
            count(view.counters.following),
            count(view.counters.posts),
            std::to_string(view.user.id.value)};
  };
  return list;
}

UserQuery query_of(const UserListOptions& options, Time now) {
  UserQuery query;
  query.match = options.match;
  query.email = options.email;
  if (options.since) query.since = parse_time("--since", *options.since, now);
  if (options.until) query.until = parse_time("--until", *options.until, now);
  query.suspended = options.suspended;
  return query;
}

void run_list(Context& context, const UserListOptions& options) {
  UserQuery query = query_of(options, context.now());
  List<UserView> list = people(context);
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    query.after = parsed_cursor(cursor, api::parse_name_cursor);
    query.limit = limit;
    social::UserViewPage page = context.engine().accounts().list(query);
    ListPage<UserView> users{std::move(page.users)};
    if (page.more) users.end.next = api::name_cursor(users.items.back().user.username);
    return users;
  };
  print_list(context.out(), options.list, list);
}

template <Relation relation>
void run_related(Context& context, const RelatedOptions& options) {
  List<UserView> list = people(context);
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    const UserNumber after = parsed_cursor(cursor, api::parse_number_cursor).value_or(kNobody);
    Engine& engine = context.engine();
    const User user = engine.accounts().resolve(options.name);
    social::RelatedPage page = engine.relations().list(user, relation, after, limit);
    ListPage<UserView> users{std::move(page.users)};
    if (page.next_cursor) users.end.next = api::number_cursor(*page.next_cursor);
    return users;
  };
  print_list(context.out(), options.list, list);
}

void add_related(CommandLine& app, Command& noun, const CommandWords& words,
                 void (*run)(Context&, const RelatedOptions&)) {
  auto [verb, options] = app.verb<RelatedOptions>(noun, words, run);
  verb.add_option("NAME", options.name, "A username in any case, @username or an id")->required();
  add_list_arguments(verb, options.list, {kUserPage}, user_fields());
}

}  // namespace
}  // namespace user_list_verbs

void add_user_lists(CommandLine& app, Command& noun) {
  using namespace user_list_verbs;
  add_related(app, noun,
              {"blocks", "List the users that a user has blocked.",
               "chirp user blocks mira\nchirp user blocks mira --all --csv"},
              run_related<Relation::kBlock>);
  add_related(app, noun,
              {"mutes", "List the users that a user has muted.",
               "chirp user mutes mira\nchirp user mutes mira --json --fields id,username"},
              run_related<Relation::kMute>);
  auto [verb, options] = app.verb<UserListOptions>(
      noun,
      {"list", "List users by username.",
       "chirp user list --match oka\n"
       "chirp user list --email mira@example.org\n"
       "chirp user list --since 2026-01-01 --until 2026-02-01 --limit 100\n"
       "chirp user list --all --csv --fields id,username,followerCount"},
      run_list);
  add_text(verb, "--match", options.match, "PART",
           "Parts of username and display name, in any order");
  add_text(verb, "--email", options.email, "E", "The user with this e-mail address");
  add_text(verb, "--since", options.since, "T", "Signed up at or after; a time, or 7d ago");
  add_text(verb, "--until", options.until, "T", "Signed up before");
  verb.add_flag("--suspended", options.suspended, "Only suspended users");
  add_list_arguments(verb, options.list, {kUserPage, "--after"}, user_fields());
}

}  // namespace chirp::cli
