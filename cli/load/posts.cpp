// `chirp load posts`: posts from files, with the time they were written.
#include "cli/input/posts.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/load/bulk.h"
#include "cli/load/deletions.h"
#include "cli/load/names.h"
#include "cli/load/post_media.h"
#include "cli/load/preview.h"
#include "cli/load/protected_authors.h"
#include "cli/load/session.h"
#include "core/limits.h"
#include "core/load/post_loader.h"
#include "core/model/names.h"
#include "core/model/nearest.h"
#include "core/model/utf8.h"

namespace chirp::cli {
namespace {

// Users of an input that has no posts.
constexpr std::size_t kFirstUsers = std::size_t{1} << 16;

struct LoadPostsOptions {
  LoadInput input;
  std::string format = "auto";
  std::string as;
  std::string names;
  std::string ids = "auto";
  TableOptions table;
  std::string author_from = "row";
  std::string privacy = "public";
  std::string bulk = "auto";
};

class PostLoad final : private LoadSession::Load {
 public:
  PostLoad(Context& context, const LoadPostsOptions& options)
      : format_(choice_of("--format", input::kPostFormats, options.format)),
        kind_(parse_id_kind(options.ids)),
        layout_(layout_of(options.table, input::TableContent::kPosts)),
        widest_(parse_widest(options.privacy)),
        author_is_file_(options.author_from == "file"),
        session_(context, "posts", options.input),
        clock_(context.clock()),
        names_(session_, options.names) {
    layout_.owner = options.as;
    if (!options.as.empty()) as_ = session_.user(options.as).number;
    Engine& engine = session_.engine();
    storage_ = &engine.storage();
    loader_.emplace(*storage_, engine.directory(), clock_, session_.pause(),
                    load::PostOptions{
                        .author = as_,
                        .early = parse_bulk(options.bulk),
                        .sorting = parse_bulk(options.bulk),
                        .sort = {},
                        .people = {},
                        .original_refused = [this](std::string_view why) { note_original(why); }});
    names_.use(loader_->words());
  }

  void run() { session_.run(*this); }

 private:
  void work() override {
    read_names();
    const input::PostSink sink{
        .post = [this](load::SourcePost&& post,
                       const input::InputPlace& place) { return add(std::move(post), place); },
        .user =
            [this](load::SourceUser&& user) {
              if (has_posts_) {
                first_users_ = {};
              } else if (first_users_.size() < kFirstUsers) {
                first_users_.push_back(user);
              }
              loader_->say(std::move(user));
            },
        .check_user = [this](const load::SourceUser& user) { return protected_.note(user); },
        .protected_user =
            [this](const input::ProtectedUser& user) {
              return protected_.note(user.id, user.username);
            },
        .left_out =
            [this](const input::LeftOut& what, const input::InputPlace& place) {
              session_.count(what.kind, fmt::format("{}:{}", place.name, place.line));
              if (what.is_post) pass_over();
            },
        .deletion = [this](const input::Deletion& what,
                           const input::InputPlace& /*place*/) { deletions_.add(what); },
        .ids = {&loader_->words(), kind_},
        .understood = session_.tell_understood()};
    input::PostReader reader(format_, session_.bad(), sink, layout_);
    session_.each_member([&](const input::InputSource& source, input::TextBuffer& buffer) {
      if (author_is_file_) reader.set_author(author_named_by(source));
      const auto result = reader.read(
          buffer, source.name(),
          source.is_one_of_many() ? input::Unknown::kSkipped : input::Unknown::kRefused);
      if (result.skipped) session_.leave_out(source.name(), result.why);
      if (result.users > 0) said_users_ = true;
      session_.show_taken();
    });
  }

  static std::string author_named_by(const input::InputSource& source) {
    if (std::string stem = source.stem(); !stem.empty()) return stem;
    throw Error(ErrorCode::kInvalidArgument,
                "--author-from file: standard input has no name that could be its author's.");
  }

  std::optional<std::string> add(load::SourcePost&& post, const input::InputPlace& place) {
    place_ = place;
    narrow(post, widest_);
    protected_.narrow(post);
    if (!post.media.empty()) keep_media(post);
    for (load::SourcePost& inside : post.original) keep_media(inside);
    const input::Deletion self{post.id, post.author_id};
    // A repost without its original would show the deleted words.
    const auto is_deleted = [this](const load::SourcePost& one) {
      return deletions_.covers({one.id, one.author_id});
    };
    if (is_deleted(post) || std::ranges::any_of(post.original, is_deleted)) {
      session_.count("deletedPosts", fmt::format("{}:{}", place.name, place.line));
      pass_over();
      return std::nullopt;
    }
    for (const load::SourcePost& inside : post.original) {
      deletions_.see({inside.id, inside.author_id});
    }
    const bool too_long = utf8::length(post.text) > limits::kLoadedTextMax;
    PreviewRow row;
    const bool shown = session_.is_dry() && session_.preview().wants_row();
    if (shown) row = row_of(post, loader_->words());
    auto problem = loader_->add(std::move(post));
    if (!problem && shown) session_.preview().row(std::move(row));
    if (problem && too_long) {
      // Other services allow longer texts, so the file is not faulty.
      session_.remark("tooLongPosts", fmt::format("{}:{}: {}", place.name, place.line, *problem));
      return std::nullopt;
    }
    if (problem) return problem;
    has_posts_ = true;
    deletions_.see(self);
    session_.take();
    return std::nullopt;
  }
  void keep_media(load::SourcePost& post) {
    keep_addresses(session_, fmt::format("{}:{}", place_.name, place_.line), post);
  }
  void note_original(std::string_view why) {
    session_.remark("unreadableOriginals",
                    fmt::format("{}:{}: what this one repeats can't be used: {}", place_.name,
                                place_.line, why));
  }
  void pass_over() {
    ++passed_over_;
    session_.take();
  }

  // The shares are measured; posts that are gathered and sorted in memory take as long to read.
  [[nodiscard]] LoadSession::Step step() override {
    constexpr double kRead = 0.15;
    constexpr double kCompared = 0.2;
    switch (loader_->phase()) {
      case load::PostPhase::kSorting:
        return {.words = "sorting", .prepared = kRead, .stores = false};
      case load::PostPhase::kComparing:
        return {.words = "comparing ids", .prepared = kRead, .stores = false};
      case load::PostPhase::kStoring:
        return {.words = "storing", .prepared = kCompared};
      case load::PostPhase::kReading:
        break;
    }
    return {.prepared = kRead};
  }

  [[nodiscard]] std::uint64_t settled(const load::Counts& counts) const override {
    return counts.stored + counts.duplicates + counts.same_id_other_text + counts.missing +
           counts.unknown_originals + passed_over_ - counts.originals;
  }

  void read_names() {
    names_.read([this](load::SourceUser&& user) {
      (void)protected_.note(user);  // this table is read before all posts
      loader_->say(std::move(user));
    });
  }

  // Excludes posts that were removed again.
  [[nodiscard]] load::Counts counts() const override {
    load::Counts all = loader_->counts();
    all.stored -= std::min(all.stored, removed_.load());
    return all;
  }

  // Loads the users of an input without posts.
  void bring_users() {
    if (first_users_.size() == kFirstUsers) {
      session_.warn(
          fmt::format("Only the first {} users are loaded, and there are no posts: "
                      "`chirp load users` loads all.",
                      kFirstUsers));
    }
    for (const load::SourceUser& user : first_users_) count_protected(session_, user);
    loader_->bring(std::exchange(first_users_, {}));
  }

  void apply_deletions() {
    for (const input::Deletion& post : deletions_.late()) {
      const Removed removed = session_.is_dry()
                                  ? Removed{1, 0}
                                  : remove_loaded(session_.engine(), loader_->words(), post, as_);
      if (removed.itself > 0) session_.count("deletedPosts", {}, removed.itself);
      if (removed.below > 0) session_.count("belowDeletedPosts", {}, removed.below);
      removed_ += removed.itself;
    }
    if (const std::uint64_t left = deletions_.not_applied(); left > 0) {
      session_.count("deletionsNotApplied", {}, left);
    }
  }

  [[nodiscard]] bool said_users() const override { return said_users_; }

  void abandon() override {
    session_.show_taken();
    loader_->abandon();
  }

  void finish() override {
    session_.show_taken();
    if (!has_posts_) bring_users();
    loader_->finish();
    if (loader_->names_refused()) {
      read_names();  // names of future users did not fit into memory
      loader_->finish();
    }
    apply_deletions();
    names_.account(*storage_);
  }

  [[nodiscard]] Skipped skipped(const load::Counts& counts) const override {
    return skipped_of({{"duplicates", counts.duplicates}},
                      {{"sameIdOtherText", counts.same_id_other_text},
                       {"gone", counts.missing},
                       {"unknownOriginals", counts.unknown_originals}});
  }

  input::PostFormat format_;
  input::IdKind kind_;
  input::TableLayout layout_;
  Privacy widest_;  // no post is visible to more people
  bool author_is_file_;
  LoadSession session_;
  const Clock& clock_;
  NamesFile names_;
  Storage* storage_ = nullptr;
  std::optional<load::PostLoader> loader_;
  ProtectedAuthors protected_;
  std::optional<UserNumber> as_;  // the author of all posts, whatever the file says
  Deletions deletions_;
  std::atomic<std::uint64_t> removed_{0};      // stored and deleted
  std::atomic<std::uint64_t> passed_over_{0};  // read, but not passed to the loader
  input::InputPlace place_{};                  // of the current post
  bool has_posts_ = false;
  std::vector<load::SourceUser> first_users_;  // before any post
  bool said_users_ = false;                    // some members had users and nothing else
};

void run_posts(Context& context, const LoadPostsOptions& options) {
  PostLoad(context, options).run();
}

}  // namespace

void add_load_posts(CommandLine& app) {
  auto [verb, options] = app.verb<LoadPostsOptions>(
      load_noun(app),
      {"posts",
       "Load posts with the time they were written: JSON Lines, CSV, Twitter's JSON; packed or "
       "not.",
       "chirp load posts posts.jsonl\n"
       "chirp load posts tweets.tar.zst --names people.csv\n"
       "chirp load posts --as mira --format csv diary.csv\n"
       "chirp load posts ./health --columns id,createdAt,text --separator '|' --author-from file\n"
       "jq -c '.[]' posts.json | chirp load posts -"},
      run_posts);
  add_input(verb, options.input);
  verb.add_option("--format", options.format, "Format of the files (default: auto)")
      ->option_text("auto|jsonl|csv|twitter");
  verb.add_option("--as", options.as, "Whose posts they are, whatever the file says")
      ->option_text("NAME");
  add_table(verb, options.table, HasTimes::kYes, "id,-,author,text; - is left out");
  add_privacy(verb, options.privacy);
  verb.add_option("--author-from", options.author_from,
                  "Whose posts they are that name no author: the file's name says it")
      ->one_of({"row", "file"});
  verb.add_option("--names", options.names, "A table of users with a header: id, name, …")
      ->option_text("FILE");
  add_ids(verb, options.ids);
  verb.add_option("--bulk", options.bulk,
                  "Whether many posts are sorted first, by time and by author")
      ->option_text("auto|always|never");
}

}  // namespace chirp::cli
