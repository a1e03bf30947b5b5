#include "cli/load/import.h"

#include <algorithm>
#include <limits>
#include <malloc.h>
#include <utility>

#include <fmt/format.h>

#include "cli/load/bulk.h"
#include "cli/load/import_check.h"
#include "cli/load/import_contents.h"
#include "cli/load/import_follows.h"
#include "cli/load/import_media.h"
#include "cli/load/import_row.h"
#include "cli/load/import_users.h"
#include "cli/progress.h"
#include "core/error.h"
#include "core/load/post_restorer.h"
#include "core/load/turns.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "core/settings.h"

namespace chirp::cli {
namespace {

constexpr std::size_t kPostBatch = 8'192;
constexpr std::size_t kRowBatch = 5'000;

class ExportLoad {
 public:
  ExportLoad(Engine& engine, const std::filesystem::path& from, ImportOptions options)
      : engine_(engine),
        from_(from),
        options_(std::move(options)),
        check_(engine.storage(), engine.clock().now()),
        reader_(from),
        media_(engine, from / "media"),
        turns_(engine.clock(), [this] { pause(); }),
        users_(engine, reader_, check_, media_, turns_) {}

  Imported run() {
    check_empty();
    imported_.is_known_complete = is_known_complete(from_);
    try {
      read_all();
    } catch (const Error& error) {
      if (!reader_.has_stored()) throw;
      throw Error(
          error.code(),
          fmt::format("{}{} The data directory holds a part of the export now: remove it "
                      "and load into a new one.",
                      error.what(), std::string_view(error.what()).ends_with('.') ? "" : "."));
    }
    imported_.rows = reader_.rows();
    imported_.bytes = reader_.bytes() + media_.bytes();
    return imported_;
  }

 private:
  void read_all() {
    continue_log();
    read_settings();
    users_.read();
    read_posts();
    check_.finish_posts();
    (void)::malloc_trim(0);  // returns the memory of posts to the system before follows need theirs
    read_follows();
    read_relations();
    read_comments();
    check_.finish_comments();
    read_reactions();
    rules::mark_feeds(engine_.storage(), users_.reading());
    mark_notified();
  }

  void check_empty() const {
    const auto snapshot = engine_.storage().snapshot();
    if (engine_.directory().count() == 0 &&
        reads::rows_above<tables::Cards>(*snapshot, {kNobody}, 1).empty() &&
        reads::rows_above<tables::Posts>(*snapshot, {kBelowAllPosts}, 1).empty()) {
      return;
    }
    throw Error(
        ErrorCode::kConflict,
        "The data directory is not empty, and an export goes into an empty one alone. Make one "
        "with chirp --data DIR init. If it is what a load that failed has left, remove it first.");
  }

  // Before anything is logged here: later events are unread for all users, however far they had
  // read the old log.
  void continue_log() {
    Sequence last{0};
    reader_.read(
        "users.jsonl", std::numeric_limits<std::size_t>::max(),
        [&](const Row& row) { last = std::max(last, marks_of(row).notified); },
        [](const ImportedLines&) {});
    reader_.forget_all();
    engine_.storage().decide({}, Purpose::kLoad,
                             [&](Rows& rows) { return rules::continue_log(rows, last); });
  }

  void mark_notified() {
    const auto notified = users_.notified();
    for (std::size_t first = 0; first < notified.size(); first += kRowBatch) {
      const auto some = notified.subspan(first, std::min(kRowBatch, notified.size() - first));
      engine_.storage().decide({}, Purpose::kLoad, [&](Rows& rows) {
        bool moved = false;
        for (const auto& [user, last] : some) moved |= rules::mark_notified(rows, user, last);
        return moved;
      });
    }
  }

  void read_settings() {
    std::vector<settings::SettingChange> changes;
    reader_.read(
        "settings.json", 1, [&](const Row& row) { changes = settings_of(row); },
        [](const ImportedLines&) {});
    if (options_.settings == Settings::kHarmless) {
      imported_.settings_left = leave_out_guarding(engine_.storage(), changes);
    }
    if (reader_.rows() == 0) {
      throw Error(ErrorCode::kBadInput,
                  "settings.json of the export is empty: copy the export again.");
    }
    reader_.forget_rows();  // settings are not rows, and a second attempt may set them again
    settings::set(engine_.storage(), changes, engine_.clock().now());
  }

  struct PostBatch {
    ImportedLines lines;
    std::vector<Post> posts;
  };

  void read_posts() {
    load::PostRestorer restorer(engine_.storage(), engine_.clock(), turns_, options_.bulk);
    std::vector<PostBatch> window;
    std::vector<Post> posts;
    std::size_t bytes = 0;
    const auto store_window = [&] {
      std::vector<const Post*> all;
      for (const PostBatch& batch : window) {
        for (const Post& post : batch.posts) all.push_back(&post);
      }
      restorer.put_early(all, bytes);
      for (const PostBatch& batch : window) {
        reader_.store(batch.lines, [&] {
          check_.posts(batch.posts);
          restorer.store(batch.posts);
        });
      }
      window.clear();
      bytes = 0;
    };
    try {
      reader_.read(
          "posts.jsonl", kPostBatch,
          [&](const Row& row) {
            posts.push_back(post_of(row));
            bytes += load::PostRestorer::bytes_of(posts.back());
          },
          [&](const ImportedLines& lines) {
            window.push_back({lines, std::exchange(posts, {})});
            if (!restorer.waits_for_more(bytes)) store_window();
          });
    } catch (const Error&) {
      if (!window.empty()) store_window();  // a line before that one may be refused, too
      throw;
    }
    store_window();
    restorer.finish();
  }

  Post post_of(const Row& row) {
    Post post;
    post.id = PostId{row.id("postId")};
    post.author = number(UserId{row.id("userId")});
    if (row.has("repostOf")) {
      const Row original = row.inner("repostOf");
      post.original = PostId{original.id("postId")};
      post.original_author = number(UserId{original.id("userId")});
    } else {
      for (const std::string& address : row.texts("mediaUrls")) {
        post.media.push_back(media_.medium(address, post.author, row.time("createdAt")));
      }
      if (post.media.size() > limits::kPostMediaMax) throw BadRow{"\"mediaUrls\" has too many"};
      ImportMedia::describe(post.media, row);
      const bool may_be_empty = !post.media.empty();
      if (!may_be_empty || !row.text("content").empty()) post.text = text_of(row);
    }
    check_type(row, post);
    post.created_at = row.time("createdAt");
    post.privacy = privacy_of(row);
    post.source = row.source();
    return post;
  }

  void read_follows() {
    BulkOptions options;
    options.wait = options_.waiting;
    follows_from_ = reader_.bytes();
    follows_.emplace(engine_, reader_, check_, users_.numbers(), turns_, options_.bulk,
                     std::move(options));
    const LoadCounts counts = follows_->read();
    imported_.gone = counts.missing;
    imported_.blocked = counts.severed;
  }

  // Reads a file, and stores its rows, in batches in the writers' turn: `row_of` parses one, and
  // `put` checks and stores some.
  template <class RowOf, class Put>
  void read_rows(const char* file, RowOf row_of, Put put) {
    std::vector<std::invoke_result_t<RowOf, const Row&>> rows;
    reader_.read(
        file, kRowBatch, [&](const Row& row) { rows.push_back(row_of(row)); },
        [&](const ImportedLines& lines) {
          reader_.store(lines, [&] {
            turns_.take([&] {
              put(rows);
              return true;
            });
          });
          rows.clear();
        });
  }

  void read_relations() {
    const auto relation_in = [&](const Row& row) {
      const RestoredRelation relation{number(UserId{row.id("userId")}),
                                      number(UserId{row.id("otherId")}), relation_of(row),
                                      row.time("createdAt")};
      if (relation.user == relation.other) throw BadRow{"nobody blocks or mutes themselves"};
      return relation;
    };
    read_rows("relations.jsonl", relation_in, [&](const std::vector<RestoredRelation>& relations) {
      check_.relations(relations);
      rules::restore_relations(engine_.storage(), relations, engine_.clock().now());
    });
  }

  void read_comments() {
    read_rows(
        "comments.jsonl", [&](const Row& row) { return comment_of(row); },
        [&](const std::vector<Comment>& comments) {
          check_.comments(comments);
          rules::restore_comments(engine_.storage(), comments, engine_.clock().now());
        });
  }

  Comment comment_of(const Row& row) const {
    Comment comment;
    comment.id = CommentId{row.id("commentId")};
    comment.post = PostId{row.id("postId")};
    comment.created_at = row.time("createdAt");
    if (!row.is_null("parentCommentId")) comment.parent = CommentId{row.id("parentCommentId")};
    if (row.flag("removed")) {
      comment.state = CommentState::kRemoved;
      comment.author = kNobody;
      return comment;
    }
    comment.author = number(UserId{row.id("userId")});
    comment.text = text_of(row);
    comment.source = row.source();
    return comment;
  }

  void read_reactions() {
    const auto reaction_in = [&](const Row& row) {
      const bool of_comment = row.has("commentId");
      const RestoredReaction reaction{ContentId{row.id(of_comment ? "commentId" : "postId")},
                                      number(UserId{row.id("userId")}), type_of(row),
                                      row.time("createdAt")};
      if (of_comment && reaction.type != ReactionType::kLike) {
        throw BadRow{"comments are liked in one way alone"};
      }
      return reaction;
    };
    read_rows("reactions.jsonl", reaction_in, [&](const std::vector<RestoredReaction>& reactions) {
      check_.reactions(reactions);
      rules::restore_reactions(engine_.storage(), reactions, engine_.clock().now());
    });
  }

  // Rows that a bulk load has read may not be stored yet. From any thread.
  void pause() {
    give_way();
    if (!options_.watched) return;
    ImportReach reach{reader_.bytes(), follows_ ? follows_->reach() : std::nullopt};
    if (reach.bulk) {
      const auto follows = static_cast<double>(reach.bytes - follows_from_);
      reach.bytes = follows_from_ + static_cast<std::uint64_t>(follows * share_of(*reach.bulk));
    }
    options_.watched(reach);
  }

  [[nodiscard]] UserNumber number(UserId id) const {
    if (const auto known = users_.numbers().find(id)) return *known;
    throw BadRow{unknown_user(id)};
  }

  Engine& engine_;
  std::filesystem::path from_;
  ImportOptions options_;
  ImportCheck check_;
  ImportReader reader_;
  ImportMedia media_;
  Imported imported_;
  load::Turns turns_;
  std::optional<ImportFollows> follows_;
  std::uint64_t follows_from_ = 0;  // bytes before the follows
  ImportUsers users_;               // last: its background uses the members above
};

}  // namespace

Imported import_from(Engine& engine, const std::filesystem::path& from, ImportOptions options) {
  return ExportLoad(engine, from, std::move(options)).run();
}

}  // namespace chirp::cli
