// `chirp user`: adding, showing, editing and removing users.
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/danger.h"
#include "cli/social/losses.h"
#include "cli/social/media_file.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace user_verbs {
namespace {

// ---- passwords

// The source of the password: the user at the terminal or, without a terminal, standard input with
// --password-stdin.
enum class PasswordFrom : std::uint8_t { kPerson, kStandardInput };

// Long enough for a message about too long a password, short enough for memory.
constexpr std::size_t kPasswordBytesMax = 4096;

// The prompt can't produce control characters, so one in piped input is a mistake.
std::string without_control(std::string password) {
  for (std::size_t at = 0; at < password.size();) {
    const utf8::Decoded next = utf8::decode(std::string_view(password).substr(at));
    // A NUL has its own message, like the other rules for passwords.
    const bool is_other =
        next.code_point != '\t' && next.code_point != '\n' && next.code_point != 0;
    if (utf8::is_control(next.code_point) && is_other) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("The password has the control character U+{:04X} at byte {}. Remove it.",
                      static_cast<std::uint32_t>(next.code_point), at + 1),
          "password");
    }
    at += next.bytes;
  }
  return password;
}

// Whether the password is asked for: standard input is a terminal.
bool asks_for_password() { return ::isatty(STDIN_FILENO) == 1; }

// At a terminal, asks twice without echo, whatever the option says, and checks the rules for
// passwords. Otherwise reads all of standard input, less one final newline, and checks only its
// size. Throws Error{kInvalidArgument} if it is missing, if the two differ, or if it is longer than
// the messages of the rules allow for.
std::string new_password(PasswordFrom from) {
  if (asks_for_password()) {
    const std::string first = checked_password(ask_unseen("New password (8 to 72 bytes): "));
    if (password_form(ask_unseen("The same again: ")) == first) return first;
    throw Error(ErrorCode::kInvalidArgument, "The two passwords differ. Nothing is changed.",
                "password");
  }
  if (from == PasswordFrom::kStandardInput) return without_control(read_stdin(kPasswordBytesMax));
  throw Error(
      ErrorCode::kInvalidArgument,
      "There is no terminal to ask for a password. Use --password-stdin, and pipe the password in.",
      "password");
}

// ---- users

struct ShowUserOptions {
  std::string name;
};
struct RemoveUserOptions {
  std::string name;
  Consent consent;
};
struct PasswordOptions {
  std::string name;
  bool password_stdin = false;
};
struct AddUserOptions {
  std::string name;
  std::optional<std::string> email;
  std::optional<std::string> display_name;
  std::optional<std::string> bio;
  bool password = false;
  bool password_stdin = false;
};
struct EditOptions {
  std::string name;
  std::optional<std::string> email;
  std::optional<std::string> display_name;
  std::optional<std::string> bio;
  std::optional<std::string> picture;
  bool no_picture = false;
};
PasswordFrom password_from(bool standard_input) {
  return standard_input ? PasswordFrom::kStandardInput : PasswordFrom::kPerson;
}

std::uint64_t count(std::int64_t n) { return n < 0 ? 0 : static_cast<std::uint64_t>(n); }

// The user's previous name, while it still redirects to them.
const OldName* live_old_name(const User& user, Time now) {
  return user.old_name && user.old_name->until > now ? &*user.old_name : nullptr;
}

void print_user(Context& context, const social::UserView& view) {
  Output& out = context.out();
  if (out.wrote_json([&](api::JsonWriter& json) {
        json.begin_object();
        api::write_user_fields(json, view, api::Email::kShow);
        if (view.user.source) json.field("sourceId", text_of(*view.user.source));
        if (view.user.suspended) json.field("suspended", true);
        if (const OldName* const old_name = live_old_name(view.user, context.now())) {
          json.field("oldName", old_name->username);
          json.field("oldNameUntil", old_name->until);
        }
        json.end_object();
      }))
    return;
  const User& user = view.user;
  std::vector<std::pair<std::string, std::string>> facts{
      {"id", std::to_string(user.id.value)},
      {"username", user.username},
      {"name", user.display_name},
  };
  if (user.email) facts.emplace_back("e-mail", *user.email);
  if (!user.bio.empty()) facts.emplace_back("bio", user.bio);
  if (user.picture != MediaId{}) facts.emplace_back("picture", address_of(user.picture));
  if (user.source) facts.emplace_back("source id", text_of(*user.source));
  if (user.suspended) facts.emplace_back("state", "suspended");
  if (const OldName* const old_name = live_old_name(user, context.now())) {
    facts.emplace_back("old name", fmt::format("{}, until {}", old_name->username,
                                               when(out, old_name->until, context.now())));
  }
  facts.emplace_back("signed up", when(out, user.created_at, context.now()));
  facts.emplace_back("followers", std::to_string(count(view.counters.followers)));
  facts.emplace_back("following", std::to_string(count(view.counters.following)));
  facts.emplace_back("posts", std::to_string(count(view.counters.posts)));
  print_facts(out, facts);
}

// Warns that part of a stored change is unfinished.
void mention_rest(Context& context, const std::string& why, std::string_view what) {
  if (why.empty()) return;
  context.out().warn(
      fmt::format("{}: {} The next command that writes does the rest.", what, safe(why)));
}

std::string* text_in(std::optional<std::string>& option) { return option ? &*option : nullptr; }

void run_add(Context& context, const AddUserOptions& options) {
  social::SignUp sign_up;
  sign_up.username = options.name;
  sign_up.email = options.email;
  sign_up.display_name = options.display_name;
  std::optional<std::string> bio = options.bio;
  if (options.password_stdin && (sign_up.display_name == "-" || bio == "-")) {
    throw Error(ErrorCode::kInvalidArgument,
                "Standard input is the password. Write the other texts on the command line.");
  }
  read_texts({text_in(sign_up.display_name), text_in(bio)});
  sign_up.bio = bio.value_or("");
  if (options.password || options.password_stdin) {
    sign_up.password = new_password(password_from(options.password_stdin));
  }
  const social::UserView added = context.writing_engine().accounts().add(sign_up);
  print_user(context, added);
  mention_rest(context, added.unfinished,
               added.user.username + " is signed up, but can't be followed yet");
}

void run_show(Context& context, const ShowUserOptions& options) {
  social::Accounts& accounts = context.engine().accounts();
  print_user(context, accounts.view(accounts.resolve_kept(options.name)));
}

MediaId upload_picture(Engine& engine, const User& owner, const std::string& path,
                       const std::string& bytes) {
  try {
    return engine.media().put_picture(owner, bytes).id;
  } catch (const Error& error) {
    refuse_media_file(path, error);
  }
}

void run_edit(Context& context, const EditOptions& options) {
  if (!options.email && !options.display_name && !options.bio && !options.picture &&
      !options.no_picture) {
    throw Error(ErrorCode::kInvalidArgument,
                "There is nothing to change. Give --email, --display-name, --bio, --picture or "
                "--no-picture.");
  }
  if (options.picture && options.no_picture) {
    throw Error(ErrorCode::kInvalidArgument, "Give --picture or --no-picture, not both.");
  }
  social::AccountEdit edit{options.email, options.display_name, options.bio};
  read_texts({text_in(edit.display_name), text_in(edit.bio)});
  if (options.no_picture) edit.picture = MediaId{};
  std::string picture;
  if (options.picture) picture = read_media_file(*options.picture);
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  if (options.picture) edit.picture = upload_picture(engine, user, *options.picture, picture);
  const social::UserView edited = engine.accounts().edit(user, edit);
  print_user(context, edited);
  mention_rest(context, edited.unfinished,
               edited.user.username + " is changed, but feeds do not show it yet");
}

void run_passwd(Context& context, const PasswordOptions& options) {
  // Checks that the user exists before it asks for a password.
  if (asks_for_password()) (void)context.engine().accounts().resolve(options.name);
  const std::string password = new_password(password_from(options.password_stdin));
  social::Accounts& accounts = context.writing_engine().accounts();
  accounts.set_password(accounts.resolve(options.name), password);
  context.out().note(fmt::format("{} has a new password.", safe(options.name)));
}

Status run_remove(Context& context, const RemoveUserOptions& options) {
  // Opening for writing finishes an interrupted removal, after which the user may be gone.
  Engine& engine = options.consent.dry_run ? context.engine() : context.writing_engine();
  const User user = engine.accounts().resolve_kept(options.name);
  const auto loss = [&] { return loss_of_user(engine, user); };
  if (const auto ended = ended_before(context, options.consent, loss)) return *ended;
  const std::string rest = engine.accounts().remove(user);
  if (rest.empty()) {
    context.out().note(
        fmt::format("{} is removed, with all posts and follows.", safe(options.name)));
  }
  mention_rest(context, rest,
               safe(options.name) + " is no longer visible, but not everything was removed yet");
  return Status::kDone;
}

void add_profile_options(Command& verb, std::optional<std::string>& email,
                         std::optional<std::string>& display_name,
                         std::optional<std::string>& bio) {
  add_text(verb, "--email", email, "E", "An e-mail address that no other user has");
  add_text(verb, "--display-name", display_name, "D", "1 to 50 characters; - for standard input");
  add_text(verb, "--bio", bio, "B", "Up to 160 characters; - for standard input");
}

constexpr const char* kNameHelp = "A username in any case, @username or an id";

void add_changing(CommandLine& app, Command& noun) {
  {
    auto [verb, options] = app.verb<AddUserOptions>(
        noun,
        {"add", "Sign up a user.",
         "chirp user add mira\n"
         "chirp user add mira --email mira@example.org --display-name 'Mira Okafor'\n"
         "chirp user add mira --password\n"
         "chirp user add mira --password-stdin < password.txt"},
        run_add);
    verb.add_option("NAME", options.name, "1 to 15 of A-Z a-z 0-9 _")->required();
    add_profile_options(verb, options.email, options.display_name, options.bio);
    verb.add_flag("--password", options.password, "Ask for a password at the terminal");
    verb.add_flag("--password-stdin", options.password_stdin,
                  "Read a password of 8 to 72 bytes from standard input");
  }
  {
    auto [verb, options] = app.verb<EditOptions>(
        noun,
        {"edit", "Change a profile. Fields that are not given stay as they are.",
         "chirp user edit mira --bio 'Up before the slugs.'\n"
         "chirp user edit mira --email ''\n"
         "chirp user edit mira --picture portrait.jpg"},
        run_edit);
    verb.add_option("NAME", options.name, kNameHelp)->required();
    add_profile_options(verb, options.email, options.display_name, options.bio);
    add_text(verb, "--picture", options.picture, "FILE", "A PNG, JPEG, GIF or WebP, up to 8 MiB");
    verb.add_flag("--no-picture", options.no_picture, "Remove the picture");
  }
  {
    auto [verb, options] = app.verb<PasswordOptions>(
        noun,
        {"passwd", "Set a password. The command asks for it at the terminal.",
         "chirp user passwd mira\n"
         "chirp user passwd mira --password-stdin < password.txt"},
        run_passwd);
    verb.add_option("NAME", options.name, kNameHelp)->required();
    verb.add_flag("--password-stdin", options.password_stdin,
                  "Read a password of 8 to 72 bytes from standard input");
  }
  {
    auto [verb, options] =
        app.verb<RemoveUserOptions>(noun,
                                    {"remove", "Remove a user, with all posts and follows.",
                                     "chirp user remove mira --dry-run\n"
                                     "chirp user remove mira --yes"},
                                    run_remove);
    verb.add_option("NAME", options.name, kNameHelp)->required();
    add_consent(verb, options.consent);
  }
}

struct RelationOptions {
  std::string name;
  std::string other;
};

template <Relation relation, bool sets>
void run_relate(Context& context, const RelationOptions& options) {
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  const User other = sets ? engine.accounts().resolve(options.other)
                          : engine.accounts().resolve_kept(options.other);
  (void)(sets ? engine.relations().set(user, relation, other)
              : engine.relations().lift(user, relation, other));
  const std::string_view what = relation == Relation::kBlock ? "blocked" : "muted";
  context.out().note(fmt::format("{} {} {}.", other.username, sets ? "is" : "is not", what));
}

void add_relating(CommandLine& app, Command& noun) {
  const auto add = [&](const CommandWords& words, void (*run)(Context&, const RelationOptions&)) {
    auto [verb, options] = app.verb<RelationOptions>(noun, words, run);
    verb.add_option("NAME", options.name, kNameHelp)->required();
    verb.add_option("OTHER", options.other, "The other user")->required();
  };
  add({"block", "Hide NAME and OTHER from each other; ends the follows between them.",
       "chirp user block mira troll"},
      run_relate<Relation::kBlock, true>);
  add({"unblock", "Lift a block; the follows that it ended stay ended.",
       "chirp user unblock mira troll"},
      run_relate<Relation::kBlock, false>);
  add({"mute", "Keep OTHER out of NAME's feed and notifications. OTHER is not notified.",
       "chirp user mute mira zoe"},
      run_relate<Relation::kMute, true>);
  add({"unmute", "Lift a mute.", "chirp user unmute mira zoe"}, run_relate<Relation::kMute, false>);
}

}  // namespace
}  // namespace user_verbs

void add_user(CommandLine& app) {
  using namespace user_verbs;
  Command& noun = app.noun({"user", "Sign up users, look them up, edit and remove them.",
                            "chirp user add mira --display-name 'Mira Okafor'\n"
                            "chirp user show mira\n"
                            "chirp user list --match oka"});
  add_changing(app, noun);
  add_relating(app, noun);
  add_user_lists(app, noun);
  add_user_token(app, noun);
  add_user_state(app, noun);
  {
    auto [verb, options] = app.verb<ShowUserOptions>(
        noun, {"show", "Show a profile.", "chirp user show mira\nchirp user show @mira --json"},
        run_show);
    verb.add_option("NAME", options.name, kNameHelp)->required();
  }
}

}  // namespace chirp::cli
