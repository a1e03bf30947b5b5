// `chirp comment`: threads of comments under posts.
#include <algorithm>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/danger.h"
#include "cli/lists/list.h"
#include "cli/social/field_names.h"
#include "cli/social/losses.h"
#include "cli/social/post_text.h"
#include "core/model/names.h"
#include "core/model/nearest.h"
#include "server/json/cursor.h"
#include "server/json/render_content.h"

namespace chirp::cli {
namespace comment_verbs {
namespace {

struct AddCommentOptions {
  std::string name;
  std::string post;
  std::string text;
  std::optional<std::string> parent;
};
struct RemoveCommentOptions {
  std::string id;
  Consent consent;
};
struct LikeOptions {
  std::string name;
  std::string id;
};
struct CommentListOptions {
  std::string post;
  std::optional<std::string> sort;
  std::optional<std::string> parent;
  ListArguments list;
};

std::string number_of(std::int64_t n, std::string_view one, std::string_view many) {
  return counted(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0)), one, many);
}

// Prints a line with author, time and id, then the text, indented.
void print_comment(Context& context, const social::CommentView& view) {
  Output& out = context.out();
  const bool removed = view.comment.state == CommentState::kRemoved;
  std::string head = removed ? out.ink(Ink::kDim, "removed")
                             : out.ink(Ink::kName, "@" + safe(view.author.username));
  if (!removed && view.author.display_name != view.author.username) {
    head += " " + safe(view.author.display_name);
  }
  std::string rest = fmt::format(" · {} · {}", when(out, view.comment.created_at, context.now()),
                                 view.comment.id.value);
  if (view.comment.parent != kNoComment) {
    rest += fmt::format(" · reply to {}", view.comment.parent.value);
  }
  if (view.likes > 0) rest += " · " + number_of(view.likes, "like", "likes");
  if (view.replies > 0) rest += " · " + number_of(view.replies, "reply", "replies");
  out.print(head + out.ink(Ink::kDim, rest) + "\n");
  if (!removed) print_text(out, view.comment.text);
}

// An invalid parent is an invalid argument, not a missing comment.
CommentId parent_of(const AddCommentOptions& options) {
  if (!options.parent) return kNoComment;
  try {
    return parse_comment_id(*options.parent);
  } catch (const Error& error) {
    throw Error(ErrorCode::kInvalidArgument, error.what());
  }
}

void run_add(Context& context, const AddCommentOptions& options) {
  const PostId post = parse_post_id(options.post);
  const CommentId parent = parent_of(options);
  const std::string text = text_argument(options.text);
  Engine& engine = context.writing_engine();
  const User author = engine.accounts().resolve(options.name);
  const auto view = engine.comments().add(author, post, text, parent);
  if (!context.out().wrote_json([&](api::JsonWriter& json) { api::write_comment(json, view); })) {
    print_comment(context, view);
  }
}

Status run_remove(Context& context, const RemoveCommentOptions& options) {
  const CommentId id = parse_comment_id(options.id);
  const auto ended = ended_or_removed(
      context, options.consent, [&](Engine& engine) { return loss_of_comment(engine, id); },
      [&](Engine& engine) { engine.comments().remove(Viewer::the_operator(), id); });
  if (ended) return *ended;
  context.out().note(fmt::format("Comment {} is removed.", id.value));
  return Status::kDone;
}

void run_like(Context& context, const LikeOptions& options) {
  const CommentId id = parse_comment_id(options.id);
  Engine& engine = context.writing_engine();
  const auto like = engine.comments().like(engine.accounts().resolve(options.name), id);
  if (!context.out().wrote_json(
          [&](api::JsonWriter& json) { api::write_comment_like(json, like); })) {
    context.out().print(number_of(like.total, "like", "likes") + " in all\n");
  }
}

void run_unlike(Context& context, const LikeOptions& options) {
  const CommentId id = parse_comment_id(options.id);
  Engine& engine = context.writing_engine();
  const std::int64_t total = engine.comments().unlike(engine.accounts().resolve(options.name), id);
  if (!context.out().wrote_json(
          [&](api::JsonWriter& json) { api::write_like_total(json, total); })) {
    context.out().print(number_of(total, "like", "likes") + " in all\n");
  }
}

social::CommentSort sort_of(const std::optional<std::string>& text) {
  if (!text || *text == "newest") return social::CommentSort::kNewest;
  if (*text == "oldest") return social::CommentSort::kOldest;
  if (*text == "popular") return social::CommentSort::kPopular;
  throw no_such_choice("--sort", {"newest", "oldest", "popular"}, *text);
}

social::CommentsRequest request_of(const CommentListOptions& options) {
  social::CommentsRequest request;
  request.sort = sort_of(options.sort);
  request.post = parse_post_id(options.post);
  if (options.parent) request.parent = parse_comment_id(*options.parent);
  return request;
}

void run_list(Context& context, const CommentListOptions& options) {
  social::CommentsRequest request = request_of(options);
  List<social::CommentView> list;
  list.shape = {.key = "comments", .none = "No comments."};
  list.page = [&](const std::optional<ListCursor>& cursor, std::uint32_t limit) {
    request.limit = limit;
    request.after = parsed_cursor(
        cursor,
        [&](std::string_view text) { return api::parse_comments_cursor(request.sort, text); },
        "the nextCursor of a page with the same --sort");
    social::CommentPage page = context.engine().comments().list(Viewer::the_operator(), request);
    ListPage<social::CommentView> comments{std::move(page.comments)};
    if (page.next) comments.end.next = api::comments_cursor(request.sort, *page.next);
    return comments;
  };
  list.write = api::write_comment;
  list.print = [&](const social::CommentView& view) { print_comment(context, view); };
  print_list(context.out(), options.list, list);
}

void add_like(CommandLine& app, Command& noun, const CommandWords& words,
              void (*run)(Context&, const LikeOptions&)) {
  auto [verb, options] = app.verb<LikeOptions>(noun, words, run);
  verb.add_option("NAME", options.name, "The user who likes it")->required();
  verb.add_option("ID", options.id, "The id of a comment")->required();
}

void add_listing(CommandLine& app, Command& noun) {
  auto [verb, options] = app.verb<CommentListOptions>(
      noun,
      {"list", "The comments of a post, or the replies to one of them.",
       "chirp comment list 3446950332515487744\n"
       "chirp comment list 3446950332515487744 --sort popular --limit 5\n"
       "chirp comment list 3446950332515487744 --parent 3446956755630690304"},
      run_list);
  verb.add_option("POST", options.post, "The id of a post; a repost means its original")
      ->required();
  add_text(verb, "--sort", options.sort, "ORDER", "newest (the default), oldest or popular");
  add_text(verb, "--parent", options.parent, "COMMENT", "The direct replies to this comment");
  add_list_arguments(
      verb, options.list,
      {kPostPage, nullptr, "Continue after this: the nextCursor of a page with the same --sort"},
      comment_fields());
}

}  // namespace
}  // namespace comment_verbs

void add_comment(CommandLine& app) {
  using namespace comment_verbs;
  Command& noun = app.noun({"comment", "Comment on posts, reply, and like comments.",
                            "chirp comment add yuki 3446950332515487744 'Did the kale make it?'\n"
                            "chirp comment list 3446950332515487744"});
  {
    auto [verb, options] = app.verb<AddCommentOptions>(
        noun,
        {"add", "Comment on a post, or reply to a comment.",
         "chirp comment add yuki 3446950332515487744 'Did the kale make it?'\n"
         "chirp comment add mira 3446950332515487744 'It always does.' --parent "
         "3446956755630690304"},
        run_add);
    verb.add_option("NAME", options.name, "The author")->required();
    verb.add_option("POST", options.post, "The id of a post; a repost means its original")
        ->required();
    verb.add_option("TEXT", options.text, "1 to 280 characters; - reads standard input")
        ->required();
    add_text(verb, "--parent", options.parent, "COMMENT", "The comment it replies to");
  }
  {
    auto [verb, options] = app.verb<RemoveCommentOptions>(
        noun,
        {"remove", "Remove a comment. One with replies stays in its place, without its text.",
         "chirp comment remove 3446956755630690304"},
        run_remove);
    verb.add_option("ID", options.id, "The id of a comment")->required();
    add_consent(verb, options.consent);
  }
  add_like(app, noun,
           {"like", "Like a comment. It is no error if the user likes it already.",
            "chirp comment like mira 3446956755630690304"},
           run_like);
  add_like(app, noun,
           {"unlike", "Take back the like of a comment. A comment without your like is no error.",
            "chirp comment unlike mira 3446956755630690304"},
           run_unlike);
  add_listing(app, noun);
}

}  // namespace chirp::cli
