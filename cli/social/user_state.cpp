// Changes that an operator makes to accounts: suspending, unsuspending and renaming.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/time.h"

namespace chirp::cli {
namespace user_state_verbs {
namespace {

struct UserStateOptions {
  std::string name;
};
struct RenameOptions {
  std::string name;
  std::string username;
};

constexpr const char* kNameHelp = "A username in any case, @username or an id";

void note_rest(Context& context, const social::UserView& view) {
  if (view.unfinished.empty()) return;
  context.out().warn(
      fmt::format("@{} is changed, but feeds do not show it yet: {} The next command that writes "
                  "does the rest.",
                  view.user.username, safe(view.unfinished)));
}

void run_suspend(Context& context, const UserStateOptions& options) {
  social::Accounts& accounts = context.writing_engine().accounts();
  const User user = accounts.resolve_kept(options.name);
  const social::UserView view = accounts.suspend(user);
  context.out().note(
      user.suspended
          ? fmt::format("{} is suspended already.", user.username)
          : fmt::format("{} is suspended: hidden everywhere, with all posts. Nothing is lost.",
                        user.username));
  note_rest(context, view);
}

void run_unsuspend(Context& context, const UserStateOptions& options) {
  social::Accounts& accounts = context.writing_engine().accounts();
  const User user = accounts.resolve_kept(options.name);
  const social::UserView view = accounts.unsuspend(user);
  context.out().note(
      user.suspended
          ? fmt::format("{} is no longer suspended; all posts and follows are back.", user.username)
          : fmt::format("{} is not suspended.", user.username));
  note_rest(context, view);
}

void run_rename(Context& context, const RenameOptions& options) {
  social::Accounts& accounts = context.writing_engine().accounts();
  const User user = accounts.resolve_kept(options.name);
  const social::UserView view = accounts.rename(user, options.username);
  if (view.user.username == user.username) {
    context.out().note(fmt::format("That is the name of {} already.", user.username));
  } else if (is_same_username(view.user.username, user.username)) {
    context.out().note(fmt::format("{} is written {} now.", user.username, view.user.username));
  } else {
    context.out().note(fmt::format("{} is now {}. The old name leads to it until {}.",
                                   user.username, view.user.username,
                                   iso8601(view.user.old_name->until)));
  }
  note_rest(context, view);
}

}  // namespace
}  // namespace user_state_verbs

void add_user_state(CommandLine& app, Command& noun) {
  using namespace user_state_verbs;
  {
    auto [verb, options] = app.verb<UserStateOptions>(
        noun,
        {"suspend", "Hide a user everywhere. Nothing is lost, and tokens are refused.",
         "chirp user suspend troll\nchirp user list --suspended"},
        run_suspend);
    verb.add_option("NAME", options.name, kNameHelp)->required();
  }
  {
    auto [verb, options] = app.verb<UserStateOptions>(
        noun, {"unsuspend", "Bring back a suspended user.", "chirp user unsuspend troll"},
        run_unsuspend);
    verb.add_option("NAME", options.name, kNameHelp)->required();
  }
  {
    auto [verb, options] = app.verb<RenameOptions>(
        noun,
        {"rename", "Give a user another username. The old one leads to them for 30 days.",
         "chirp user rename mira mira_okafor"},
        run_rename);
    verb.add_option("NAME", options.name, kNameHelp)->required();
    verb.add_option("USERNAME", options.username, "1 to 15 of A-Z a-z 0-9 _")->required();
  }
}

}  // namespace chirp::cli
