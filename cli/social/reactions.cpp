#include <algorithm>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "core/model/names.h"
#include "core/model/nearest.h"
#include "server/json/cursor.h"
#include "server/json/render_content.h"

namespace chirp::cli {
namespace {

struct ReactOptions {
  std::string name;
  std::string id;
  std::optional<std::string> type;
};
struct ReactionsOptions {
  std::string id;
  ListArguments list;
};

ReactionType type_of(const std::optional<std::string>& text) {
  if (!text) return ReactionType::kLike;
  if (const auto type = reaction_named(*text)) return *type;
  throw no_such_choice("--type", {"like", "love", "laugh", "angry", "sad"}, *text);
}

std::string in_all(std::int64_t total) {
  return counted(static_cast<std::uint64_t>(std::max<std::int64_t>(total, 0)), "reaction",
                 "reactions");
}

void run_react(Context& context, const ReactOptions& options) {
  const ReactionType type = type_of(options.type);
  const PostId id = parse_post_id(options.id);
  Engine& engine = context.writing_engine();
  const auto state = engine.reactions().react(engine.accounts().resolve(options.name), id, type);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) { api::write_like(json, state); })) {
    out.print(fmt::format("{}; {} in all\n", name(state.type), in_all(state.total)));
  }
}

void run_unreact(Context& context, const ReactOptions& options) {
  const PostId id = parse_post_id(options.id);
  Engine& engine = context.writing_engine();
  const std::int64_t total =
      engine.reactions().unreact(engine.accounts().resolve(options.name), id);
  Output& out = context.out();
  if (!out.wrote_json([&](api::JsonWriter& json) { api::write_like_total(json, total); })) {
    out.print(fmt::format("{} in all\n", in_all(total)));
  }
}

void run_reactions(Context& context, const ReactionsOptions& options) {
  List<social::Liker> list;
  list.shape = {
      .key = "likes",
      .none = "Nobody.",
      .columns = {{"USERNAME"}, {"NAME"}, {"REACTION"}, {"SINCE"}, {"ID", Align::kRight}}};
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    social::LikersRequest request{.post = parse_post_id(options.id), .limit = limit};
    const auto after = parsed_cursor(
        cursor, [](std::string_view text) { return api::parse_likers_cursor(std::nullopt, text); });
    if (after) request.after = *after;
    social::LikerPage page = context.engine().reactions().list(Viewer::the_operator(), request);
    ListPage<social::Liker> likers{std::move(page.likers), {.total = page.total}};
    if (page.next_cursor) likers.end.next = api::likers_cursor(std::nullopt, *page.next_cursor);
    return likers;
  };
  list.write = api::write_liker;
  list.row = [&](const social::Liker& liker) -> std::vector<std::string> {
    return {liker.user.username, liker.user.display_name, std::string(name(liker.type)),
            when(context.out(), liker.since, context.now()), std::to_string(liker.user.id.value)};
  };
  print_list(context.out(), options.list, list);
}

}  // namespace

void add_reaction_verbs(CommandLine& app, Command& noun) {
  {
    auto [verb, options] = app.verb<ReactOptions>(
        noun,
        {"react", "React to a post, or change the reaction. It is no error if nothing changes.",
         "chirp post react yuki 3446950332515487744\n"
         "chirp post react yuki 3446950332515487744 --type love"},
        run_react);
    verb.add_option("NAME", options.name, "Who reacts")->required();
    verb.add_option("ID", options.id, "The id of a post; a repost means its original")->required();
    add_text(verb, "--type", options.type, "like|love|laugh|angry|sad",
             "The kind of reaction (default: like)");
  }
  {
    auto [verb, options] = app.verb<ReactOptions>(
        noun,
        {"unreact", "Take back a reaction. A post without your reaction is no error.",
         "chirp post unreact yuki 3446950332515487744"},
        run_unreact);
    verb.add_option("NAME", options.name, "The user who reacted")->required();
    verb.add_option("ID", options.id, "The id of a post")->required();
  }
  {
    auto [verb, options] =
        app.verb<ReactionsOptions>(noun,
                                   {"reactions", "List the reactions to a post.",
                                    "chirp post reactions 3446950332515487744\n"
                                    "chirp post reactions 3446950332515487744 --limit 200 --json"},
                                   run_reactions);
    verb.add_option("ID", options.id, "The id of a post")->required();
    add_list_arguments(verb, options.list, {kUserPage}, liker_fields());
  }
}

}  // namespace chirp::cli
