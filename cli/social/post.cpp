// `chirp post`: publishing, reading and removing posts.
#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/danger.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "cli/social/losses.h"
#include "cli/social/media_file.h"
#include "cli/social/post_text.h"
#include "core/limits.h"
#include "core/model/names.h"
#include "core/model/nearest.h"
#include "server/json/render.h"

namespace chirp::cli {
namespace post_verbs {
namespace {

struct AddPostOptions {
  std::string name;
  std::string text;
  std::optional<std::string> privacy;
  std::optional<std::string> key;
  std::vector<std::string> media;
  std::vector<std::string> alt_texts;  // in the order of the media; may be fewer
};
struct RepostOptions {
  std::string name;
  std::string id;
};
struct IdOptions {
  std::string id;
};
struct RemovePostOptions {
  std::string id;
  Consent consent;
};
struct PostListOptions {
  std::string name;
  ListArguments list;
};

void print_view(Context& context, const social::PostView& view) {
  if (context.out().wrote_json([&](api::JsonWriter& json) { api::write_post(json, view); })) return;
  print_view(context.out(), view, context.now());
}

Privacy parse_privacy(const std::optional<std::string>& text) {
  if (!text) return Privacy::kPublic;
  const auto privacy = privacy_named(*text);
  if (privacy) return *privacy;
  throw no_such_choice("--privacy", {"public", "followers", "private"}, *text);
}

struct ReadFile {
  std::string path;
  std::string bytes;
};

// Reads all files before any is stored.
std::vector<ReadFile> read_media(const std::vector<std::string>& paths) {
  if (paths.size() > limits::kPostMediaMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--media: a post takes at most {} files, not {}.",
                            limits::kPostMediaMax, paths.size()),
                "media");
  }
  std::vector<ReadFile> files;
  for (const std::string& path : paths) files.push_back({path, read_media_file(path)});
  return files;
}

// The texts of a post: its content, and the alt texts of its media.
struct Texts {
  std::string content;
  std::vector<std::string> alt_texts;
};

// Called before files are read or stored.
Texts read_all_texts(const AddPostOptions& options) {
  if (options.alt_texts.size() > options.media.size()) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("--alt describes a file: {} cannot belong to {}. Give a --media for each.",
                    counted(options.alt_texts.size(), "text", "texts"),
                    counted(options.media.size(), "file", "files")),
        "altTexts");
  }
  Texts texts{options.text, options.alt_texts};
  std::vector<std::string*> all{&texts.content};
  for (std::string& text : texts.alt_texts) all.push_back(&text);
  read_texts(all);
  for (const std::string& text : texts.alt_texts) (void)checked_alt_text(text);
  return texts;
}

std::vector<Medium> upload(Engine& engine, const User& owner, const std::vector<ReadFile>& files) {
  if (files.empty()) return {};
  std::vector<MediaId> uploads;
  for (const ReadFile& file : files) {
    try {
      uploads.push_back(engine.media().put(owner, file.bytes).id);
    } catch (const Error& error) {
      refuse_media_file(file.path, error);
    }
  }
  return engine.media().to_post(owner, uploads);
}

void run_add(Context& context, const AddPostOptions& options) {
  const Privacy privacy = parse_privacy(options.privacy);
  const Texts texts = read_all_texts(options);
  const std::vector<ReadFile> files = read_media(options.media);
  Engine& engine = context.writing_engine();
  const User author = engine.accounts().resolve(options.name);
  social::NewPost post{texts.content, privacy};
  post.media = upload(engine, author, files);
  for (std::size_t i = 0; i < texts.alt_texts.size(); ++i) {
    post.media[i].alt_text = texts.alt_texts[i];
  }
  if (options.key) post.idempotency_key = *options.key;
  auto published = engine.posts().publish(author, post);
  published.view.stats.knows_viewer = false;  // the operator has no likes
  print_view(context, published.view);
  if (published.publication == social::Publication::kRepeated) {
    context.out().note("This key has already published the post; nothing was published now.");
  }
}

void run_show(Context& context, const IdOptions& options) {
  const PostId id = parse_post_id(options.id);
  print_view(context, context.engine().posts().show(Viewer::the_operator(), id));
}

Status run_remove(Context& context, const RemovePostOptions& options) {
  const PostId id = parse_post_id(options.id);
  const auto ended = ended_or_removed(
      context, options.consent, [&](Engine& engine) { return loss_of_post(engine, id); },
      [&](Engine& engine) { engine.posts().remove(Viewer::the_operator(), id); });
  if (ended) return *ended;
  context.out().note(fmt::format("Post {} is removed.", id.value));
  return Status::kDone;
}

void run_repost(Context& context, const RepostOptions& options) {
  const PostId id = parse_post_id(options.id);
  Engine& engine = context.writing_engine();
  const User user = engine.accounts().resolve(options.name);
  print_view(context, engine.posts().repost(user, id).view);
}

void run_unrepost(Context& context, const RepostOptions& options) {
  const PostId id = parse_post_id(options.id);
  Engine& engine = context.writing_engine();
  engine.posts().unrepost(engine.accounts().resolve(options.name), id);
  context.out().note(fmt::format("Post {} is not reposted.", id.value));
}

void run_list(Context& context, const PostListOptions& options) {
  List<social::PostView> list;
  list.shape = {.key = "posts", .none = "No posts."};
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    const PostId before =
        cursor ? parse_post_cursor(cursor->option, cursor->text, context.now()) : kAboveAllPosts;
    Engine& engine = context.engine();
    const User author = engine.accounts().resolve(options.name);
    social::PostPage page = engine.posts().list(Viewer::the_operator(), author, before, limit);
    ListPage<social::PostView> posts{std::move(page.posts)};
    if (page.next_cursor) posts.end.next = std::to_string(page.next_cursor->value);
    return posts;
  };
  list.write = [](api::JsonWriter& json, const social::PostView& view) {
    api::write_post(json, view);
  };
  list.print = [&](const social::PostView& view) {
    print_view(context.out(), view, context.now());
  };
  print_list(context.out(), options.list, list);
}

void add_reposting(CommandLine& app, Command& noun) {
  const auto add = [&](const CommandWords& words, void (*run)(Context&, const RepostOptions&)) {
    auto [verb, options] = app.verb<RepostOptions>(noun, words, run);
    verb.add_option("NAME", options.name, "Who reposts")->required();
    verb.add_option("ID", options.id, "The id of a post; a repost means its original")->required();
  };
  add({"repost", "Repost a public post. It is no error if it is reposted already.",
       "chirp post repost yuki 3446950332515487744"},
      run_repost);
  add({"unrepost", "Withdraw a repost. A post that you did not repost is no error.",
       "chirp post unrepost yuki 3446950332515487744"},
      run_unrepost);
}

}  // namespace
}  // namespace post_verbs

void add_post(CommandLine& app) {
  using namespace post_verbs;
  Command& noun = app.noun({"post", "Publish, read, repost and remove posts.",
                            "chirp post add mira 'First frost on the allotment this morning'\n"
                            "chirp post list mira"});
  {
    auto [verb, options] = app.verb<AddPostOptions>(
        noun,
        {"add", "Publish a post.",
         "chirp post add mira 'First frost on the allotment this morning'\n"
         "fortune -s | chirp post add mira -\n"
         "chirp post add mira 'For friends' --privacy followers\n"
         "chirp post add mira 'Once' --idempotency-key 0d9c1f0e-6a7b\n"
         "chirp post add mira 'The harbour at six' --media harbour.jpg --alt 'Boats in fog'\n"
         "chirp post add mira -- '-5 degrees, says --the-- thermometer'"},
        run_add);
    verb.add_option("NAME", options.name, "The author")->required();
    verb.add_option("TEXT", options.text,
                    "1 to 280 characters, or none with media; - reads standard input")
        ->required();
    add_text(verb, "--privacy", options.privacy, "public|followers|private",
             "The readers (default: public); can't be changed later");
    add_text(
        verb, "--idempotency-key", options.key, "K",
        "Publish only once: a repetition with the same key within 24 hours shows the first post");
    verb.add_option("--media", options.media,
                    "A PNG, JPEG, GIF, WebP or MP4, up to 8 MiB; up to four times")
        ->option_text("FILE")
        ->expected(1)
        ->take_all();
    verb.add_option(
            "--alt", options.alt_texts,
            "A description of a file for readers who can't see it: up to 1,500 characters. The "
            "first belongs to the first --media, and so on; '' skips one, - reads standard input")
        ->option_text("TEXT")
        ->expected(1)
        ->take_all();
  }
  {
    auto [verb, options] = app.verb<IdOptions>(
        noun, {"show", "Show a post.", "chirp post show 3446950332515487744"}, run_show);
    verb.add_option("ID", options.id, "The id of a post")->required();
  }
  {
    auto [verb, options] = app.verb<PostListOptions>(
        noun,
        {"list", "List the posts and reposts of a user, newest first.",
         "chirp post list mira --limit 5\n"
         "chirp post list mira --cursor 2026-01-31\n"
         "chirp post list mira --all --csv --fields postId,createdAt,content"},
        run_list);
    verb.add_option("NAME", options.name, "The author")->required();
    add_list_arguments(verb, options.list, {kPostPage, "--before", kPostCursorHelp}, post_fields());
  }
  {
    auto [verb, options] = app.verb<RemovePostOptions>(
        noun,
        {"remove", "Remove a post.",
         "chirp post remove 3446950332515487744\nchirp post remove 3446950332515487744 --dry-run"},
        run_remove);
    verb.add_option("ID", options.id, "The id of a post")->required();
    add_consent(verb, options.consent);
  }
  add_reposting(app, noun);
  add_reaction_verbs(app, noun);
}

}  // namespace chirp::cli
