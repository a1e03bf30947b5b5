#include "cli/load/import.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/lines.h"
#include "cli/input/raw_file.h"
#include "cli/load/import_check.h"
#include "cli/load/import_media.h"
#include "cli/load/import_row.h"
#include "cli/load/import_settings.h"
#include "cli/load/import_user.h"
#include "cli/output.h"
#include "core/error.h"
#include "core/model/names.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "core/settings.h"

namespace chirp::cli {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kUserBatch = 2000;
constexpr std::size_t kRowBatch = 5000;

class Import {
 public:
  Import(Engine& engine, std::filesystem::path from, ImportOptions options)
      : engine_(engine),
        from_(std::move(from)),
        options_(std::move(options)),
        check_(engine.storage(), engine.clock().now()),
        media_(engine, from_ / "media") {}

  Imported run() {
    check_empty();
    try {
      read_all();
    } catch (const Error& error) {
      if (!stored_) throw;
      throw Error(
          error.code(),
          fmt::format("{}{} The data directory holds a part of the export now: remove it "
                      "and load into a new one.",
                      error.what(), std::string_view(error.what()).ends_with('.') ? "" : "."));
    }
    imported_.bytes += media_.bytes();
    return imported_;
  }

 private:
  void read_all() {
    continue_log();
    read_settings();
    read_users();
    check_.finish_users(engine_.directory());
    read_posts();
    check_.finish_posts();
    read_follows();
    read_relations();
    read_comments();
    check_.finish_comments();
    read_reactions();
    rules::mark_feeds(engine_.storage(), reading_);
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

  // Calls `take` with each row and `store` after every `batch` of them and at the end.
  template <class Take, class Store>
  void read_rows(const char* name, std::size_t batch, Take take, Store store) {
    input::RawFile file((from_ / name).string(), input::RawFile::Kind::kRegular);
    input::TextBuffer buffer;
    buffer.open(file);
    input::Lines lines(buffer);
    std::size_t held = 0;
    std::uint64_t last = 0;
    for (auto line = lines.next(); line; line = lines.next()) {
      try {
        take(parsed(*line));
      } catch (const BadRow& bad) {
        fail(name, fmt::to_string(line->number), bad.what);
      } catch (const Error& error) {
        fail(name, fmt::to_string(line->number), error.what());
      }
      ++imported_.rows;
      last = line->number;
      if (++held == batch) {
        store_rows(name, last, held, store);
        if (options_.watched) options_.watched(imported_.bytes + file.bytes_read());
        held = 0;
      }
    }
    if (held > 0) store_rows(name, last, held, store);
    imported_.bytes += file.bytes_read();
  }

  // What is refused together is tried one by one, to tell which line it is.
  template <class Store>
  void store_rows(const char* name, std::uint64_t last, std::size_t count, Store store) {
    stored_ = true;
    try {
      store();
    } catch (const RefusedRow& refused) {
      fail(name, fmt::to_string(last + 1 - count + refused.index), refused.what);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kAlreadyExists && error.code() != ErrorCode::kBadInput) throw;
      const std::uint64_t first = last + 1 - count;
      fail(name, first == last ? fmt::to_string(last) : fmt::format("{}-{}", first, last),
           error.what());
    }
  }

  Row parsed(const input::Line& line) {
    dom::object object;
    if (line.kind == input::LineKind::kTooLong) throw BadRow{"the line is too long"};
    if (parser_.parse(line.text.data(), line.text.size()).get(object) != simdjson::SUCCESS) {
      throw BadRow{"this is not one JSON object"};
    }
    return Row(object);
  }

  [[noreturn]] void fail(const char* name, std::string_view line, std::string_view what) const {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:{}: {}", safe((from_ / name).string()), line, safe(what)));
  }

  // Before anything is logged here: what happens from now on is news to everybody, however far the
  // log of before was read.
  void continue_log() {
    Sequence last{0};
    read_rows(
        "users.jsonl", std::numeric_limits<std::size_t>::max(),
        [&](const Row& row) { last = std::max(last, marks_of(row).notified); }, [] {});
    imported_ = {};
    stored_ = false;
    engine_.storage().decide({}, Purpose::kLoad,
                             [&](Rows& rows) { return rules::continue_log(rows, last); });
  }

  void mark_notified() {
    for (std::size_t first = 0; first < notified_.size(); first += kRowBatch) {
      const auto some =
          std::span(notified_).subspan(first, std::min(kRowBatch, notified_.size() - first));
      engine_.storage().decide({}, Purpose::kLoad, [&](Rows& rows) {
        bool moved = false;
        for (const auto& [user, last] : some) moved |= rules::mark_notified(rows, user, last);
        return moved;
      });
    }
  }

  void read_settings() {
    std::vector<settings::Change> changes;
    read_rows(
        "settings.json", 1, [&](const Row& row) { changes = settings_of(row); }, [] {});
    if (options_.settings == Settings::kHarmless) {
      imported_.settings_left = leave_out_guarding(engine_.storage(), changes);
    }
    imported_.rows = 0;  // settings are no rows, and what they change may be set again
    stored_ = false;
    settings::set(engine_.storage(), changes, engine_.clock().now());
  }

  void read_users() {
    std::vector<User> users;
    std::vector<ReadingMarks> marks;
    read_rows(
        "users.jsonl", kUserBatch,
        [&](const Row& row) {
          users.push_back(user_of(row));
          marks.push_back(marks_of(row));
        },
        [&] {
          check_.users(users, marks);
          restore(users);
          for (std::size_t i = 0; i < users.size(); ++i) {
            const UserNumber number = numbers_[numbers_.size() - users.size() + i].second;
            if (marks[i].feed) reading_.emplace_back(number, *marks[i].feed);
            if (marks[i].notified != Sequence{0}) notified_.emplace_back(number, marks[i].notified);
          }
          users.clear();
          marks.clear();
        });
    std::sort(numbers_.begin(), numbers_.end());
  }

  // A picture is named when it is there, and it is there when its owner is.
  void restore(std::vector<User>& users) {
    std::vector<MediaId> pictures;
    for (User& user : users) pictures.push_back(std::exchange(user.picture, MediaId{}));
    std::vector<AuthorCard> cards;
    const auto restored = restored_rows(users);
    for (std::size_t i = 0; i < restored.size(); ++i) {
      const User& user = restored[i];
      numbers_.push_back({user.id, user.number});
      const bool has_picture = pictures[i] != MediaId{};
      cards.push_back(social::card_of(
          has_picture ? media_.set_picture(user.number, pictures[i], user.created_at) : user));
    }
    rules::load_cards(engine_.storage(), cards, engine_.clock().now());
  }

  std::vector<User> restored_rows(const std::vector<User>& users) {
    try {
      return engine_.directory().restore(users);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kAlreadyExists) throw;
    }
    std::vector<User> restored;
    for (std::size_t i = 0; i < users.size(); ++i) {
      try {
        restored.push_back(engine_.directory().restore({&users[i], 1}).front());
      } catch (const Error& error) {
        throw RefusedRow{i, error.what()};
      }
    }
    return restored;
  }

  void read_posts() {
    std::vector<Post> posts;
    read_rows(
        "posts.jsonl", kRowBatch, [&](const Row& row) { posts.push_back(post_of(row)); },
        [&] {
          check_.posts(posts);
          rules::restore_posts(engine_.storage(), posts, engine_.clock().now());
          posts.clear();
        });
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
    std::vector<RestoredEdge> edges;
    read_rows(
        "follows.jsonl", kRowBatch,
        [&](const Row& row) {
          // `reposts` is what exports of before have.
          const char* const key = row.has("showingReposts") ? "showingReposts" : "reposts";
          const bool off = row.has(key) && !row.flag(key);
          edges.push_back({number(UserId{row.id("followerId")}),
                           number(UserId{row.id("followingId")}), row.time("createdAt"),
                           off ? Reposts::kOff : Reposts::kOn});
          if (edges.back().follower == edges.back().followee) {
            throw BadRow{"nobody follows themselves"};
          }
          if (row.has("status") && row.text("status") != "active") {
            throw BadRow{"\"status\" is not \"active\": chirp has no other follows"};
          }
        },
        [&] {
          check_.edges(edges);
          rules::restore_edges(engine_.storage(), edges, engine_.clock().now());
          edges.clear();
        });
  }

  void read_relations() {
    std::vector<RestoredRelation> relations;
    read_rows(
        "relations.jsonl", kRowBatch,
        [&](const Row& row) {
          relations.push_back({number(UserId{row.id("userId")}), number(UserId{row.id("otherId")}),
                               relation_of(row), row.time("createdAt")});
          if (relations.back().user == relations.back().other) {
            throw BadRow{"nobody blocks or mutes themselves"};
          }
        },
        [&] {
          check_.relations(relations);
          rules::restore_relations(engine_.storage(), relations, engine_.clock().now());
          relations.clear();
        });
  }

  void read_comments() {
    std::vector<Comment> comments;
    read_rows(
        "comments.jsonl", kRowBatch, [&](const Row& row) { comments.push_back(comment_of(row)); },
        [&] {
          check_.comments(comments);
          rules::restore_comments(engine_.storage(), comments, engine_.clock().now());
          comments.clear();
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
    std::vector<RestoredReaction> reactions;
    read_rows(
        "reactions.jsonl", kRowBatch,
        [&](const Row& row) {
          const bool of_comment = row.has("commentId");
          reactions.push_back({ContentId{row.id(of_comment ? "commentId" : "postId")},
                               number(UserId{row.id("userId")}), type_of(row),
                               row.time("createdAt")});
          if (of_comment && reactions.back().type != ReactionType::kLike) {
            throw BadRow{"comments are liked in one way alone"};
          }
        },
        [&] {
          check_.reactions(reactions);
          rules::restore_reactions(engine_.storage(), reactions, engine_.clock().now());
          reactions.clear();
        });
  }

  [[nodiscard]] UserNumber number(UserId id) const {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair{id, kNobody});
    if (at == numbers_.end() || at->first != id) {
      throw BadRow{fmt::format("user {} is not among the users", id.value)};
    }
    return at->second;
  }

  Engine& engine_;
  std::filesystem::path from_;
  ImportOptions options_;
  ImportCheck check_;
  dom::parser parser_;
  std::vector<std::pair<UserId, UserNumber>> numbers_;     // by id
  std::vector<std::pair<UserNumber, PostId>> reading_;     // how far home feeds are read
  std::vector<std::pair<UserNumber, Sequence>> notified_;  // and what they were told of
  ImportMedia media_;
  Imported imported_;
  bool stored_ = false;  // something of it, perhaps
};

}  // namespace

Imported import_from(Engine& engine, const std::filesystem::path& from, ImportOptions options) {
  return Import(engine, from, std::move(options)).run();
}

}  // namespace chirp::cli
