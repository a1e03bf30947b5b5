// `chirp post`: publishing, reading and removing posts.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/blocks.h"
#include "cli/commands.h"
#include "cli/values.h"
#include "core/limits.h"
#include "server/api/render.h"

namespace chirp::cli {
namespace {

struct AddOptions {
  std::string name;
  std::string text;
};
struct IdOptions {
  std::string id;
};
struct ListOptions {
  std::string name;
  std::optional<std::string> limit;
  std::optional<std::string> before;
};

void print_view(Context& context, const social::PostView& view) {
  if (context.out().json()) {
    api::JsonWriter json;
    api::write_post(json, view);
    return context.out().document(json);
  }
  print_post(context.out(), view.post, view.author, context.now());
}

Status run_add(Context& context, const AddOptions& options) {
  const std::string text = text_argument(options.text);
  print_view(context, context.writing_engine().posts().publish(options.name, text));
  return Status::kDone;
}

Status run_show(Context& context, const IdOptions& options) {
  const PostId id = parse_post_id(options.id);
  print_view(context, context.engine().posts().show(id));
  return Status::kDone;
}

Status run_remove(Context& context, const IdOptions& options) {
  const PostId id = parse_post_id(options.id);
  context.writing_engine().posts().remove(id);
  context.out().note(fmt::format("Post {} is removed.", id.value));
  return Status::kDone;
}

Status run_list(Context& context, const ListOptions& options) {
  const PostId before = options.before
                            ? parse_post_cursor("--before", *options.before, context.now())
                            : kAboveAllPosts;
  const std::uint32_t limit =
      parse_limit(options.limit, limits::kPostPageDefault, limits::kPostPageMax);
  const social::PostPage page = context.engine().posts().list(options.name, before, limit);
  Output& out = context.out();
  if (out.json()) {
    api::JsonWriter json;
    api::write_posts(json, page);
    out.document(json);
    return Status::kDone;
  }
  for (const social::PostView& view : page.posts) {
    print_post(out, view.post, view.author, context.now());
  }
  if (page.posts.empty()) out.note("No posts.");
  if (page.next_cursor) {
    out.note(fmt::format("There are more: --before {}", page.next_cursor->value));
  }
  return Status::kDone;
}

}  // namespace

void add_post(App& app) {
  CLI::App& noun = app.noun({"post", "Publish, read and remove posts.",
                             "chirp post add mira 'First frost on the allotment this morning'\n"
                             "chirp post list mira"});
  {
    auto [verb, options] =
        app.verb<AddOptions>(noun,
                             {"add", "Publish a post.",
                              "chirp post add mira 'First frost on the allotment this morning'\n"
                              "fortune -s | chirp post add mira -\n"
                              "chirp post add mira -- '-5 degrees, says --the-- thermometer'"},
                             run_add);
    verb.add_option("NAME", options.name, "Who writes it")->required();
    verb.add_option("TEXT", options.text, "1 to 280 characters; - reads standard input")
        ->required();
  }
  {
    auto [verb, options] = app.verb<IdOptions>(
        noun, {"show", "Show a post.", "chirp post show 3446950332515487744"}, run_show);
    verb.add_option("ID", options.id, "The id of a post")->required();
  }
  {
    auto [verb, options] = app.verb<ListOptions>(noun,
                                                 {"list", "What somebody has posted, newest first.",
                                                  "chirp post list mira --limit 5\n"
                                                  "chirp post list mira --before 2026-01-31"},
                                                 run_list);
    verb.add_option("NAME", options.name, "Who wrote them")->required();
    add_text(verb, "--limit", options.limit, "N", "1 to 100, 20 unless told");
    add_text(verb, "--before", options.before, "CURSOR",
             "Below this: a page's nextCursor, a post id, a time, or 2h ago");
  }
  {
    auto [verb, options] = app.verb<IdOptions>(
        noun, {"remove", "Remove a post.", "chirp post remove 3446950332515487744"}, run_remove);
    verb.add_option("ID", options.id, "The id of a post")->required();
  }
}

}  // namespace chirp::cli
