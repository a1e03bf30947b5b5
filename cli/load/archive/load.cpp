// `chirp load archive`: loads a person's data from another service into one account.
//
// The archive is read twice. The first pass finds everything that is wrong and the files that its
// posts name, so that nothing of a bad archive is stored. The second pass stores it.
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/load/archive/account_archive.h"
#include "cli/load/archive/media.h"
#include "cli/load/archive/owner.h"
#include "cli/load/preview.h"
#include "cli/load/protected_authors.h"
#include "cli/load/session.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/load/post_check.h"
#include "core/load/post_loader.h"
#include "core/load/tie_loader.h"
#include "core/load/words.h"
#include "core/model/names.h"
#include "core/model/utf8.h"
#include "core/ports/reads.h"

namespace chirp::cli {
namespace {

using archive::Sink;

// Posts that are looked up at once.
constexpr std::size_t kLookedUp = 4'096;

struct ArchiveOptions {
  LoadInput input;
  std::string as;
  std::string unlisted = "followers";
  std::string privacy = "public";
};

Privacy parse_unlisted(const std::string& text) {
  if (text == "followers") return Privacy::kFollowers;
  if (text == "public") return Privacy::kPublic;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("--unlisted takes followers or public, not \"{}\".", printable(text)));
}

class ArchiveLoad final : private LoadSession::Load {
 public:
  ArchiveLoad(Context& context, const ArchiveOptions& options)
      : context_(context),
        clock_(context.clock()),
        unlisted_(parse_unlisted(options.unlisted)),
        widest_(parse_widest(options.privacy)),
        session_(context, "entries", options.input),
        tree_(options.input.files.front(), session_.window_max()),
        reader_(archive::reader_of(tree_)),
        owner_(reader_->profile(tree_), options.as, tree_.name()),
        media_(session_) {
    if (session_.is_dry()) (void)session_.engine();
  }

  void run() { session_.run(*this); }

 private:
  void work() override {
    survey();
    words_.reset();
    account_ = owner_.bring(session_.engine(), own_);
    media_.load(tree_, engine(), account_);
    bring_picture();
    load();
  }

  // For reading existing rows: nothing is written before the whole archive has been read.
  Engine& engine() { return session_.is_dry() ? session_.engine() : context_.engine(); }

  // ---- the first pass

  void survey() {
    std::uint64_t entries = 0;
    const auto tell = session_.tell_understood();
    if (tell) {
      session_.preview().begin(tree_.name(), "UTF-8");
      tell({.format = fmt::format("{} of @{}", reader_->format(), owner_.profile().username)});
    }
    const Sink sink{.post =
                        [&](load::SourcePost&& post, const input::InputPlace& place) {
                          ++entries;
                          narrow(post, widest_);
                          survey_post(std::move(post), place);
                        },
                    .like = [&](SourceId /*post*/) { ++entries; },
                    .tie = [&](const load::SourceTie& /*tie*/) { ++entries; },
                    .skip = [this](const std::string& kind, std::uint64_t times,
                                   std::string_view what) { session_.count(kind, what, times); },
                    .bad = session_.bad(),
                    .words = *words_,
                    .unlisted = unlisted_};
    reader_->read(tree_, sink);
    want_media();
    session_.expect(entries);
  }

  void survey_post(load::SourcePost&& post, const input::InputPlace& place) {
    const std::size_t left_out = archive::ArchiveMedia::cut(post);
    if (left_out > 0) {
      session_.count("mediaBeyondFour", fmt::format("{}:{}", place.name, place.line), left_out);
    }
    const bool is_long = utf8::length(post.text) > limits::kLoadedTextMax;
    PreviewRow row;
    const bool shown = session_.is_dry() && session_.preview().wants_row();
    if (shown) row = row_of(post, *words_);
    std::uint64_t removed = 0;
    const auto problem = load::check_post(post, load::Author::kGiven, clock_.now(), removed);
    if (problem && is_long) return note_too_long(post.id, place, *problem);
    if (problem) return session_.bad().add(place, *problem);
    if (shown) session_.preview().row(std::move(row));
    if (post.media.empty()) return;
    with_media_.push_back(std::move(post));
    if (with_media_.size() >= kLookedUp) want_media();
  }

  // Other services allow longer texts, so the archive is not faulty.
  void note_too_long(SourceId id, const input::InputPlace& place, std::string_view why) {
    session_.remark("tooLongPosts", fmt::format("{}:{}: {}: {}", place.name, place.line,
                                                printable(text_of(words_->key_of(id)), 200), why));
  }

  // Existing posts already have their files.
  void want_media() {
    if (with_media_.empty()) return;
    std::vector<SourceKey> keys;
    for (const load::SourcePost& post : with_media_) keys.push_back(words_->key_of(post.id));
    const auto snapshot = engine().storage().snapshot();
    const auto there = reads::contents_of(*snapshot, std::span<const SourceKey>(keys));
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!there[i]) media_.want(with_media_[i]);
    }
    with_media_.clear();
  }

  // A user who has a picture keeps it.
  void bring_picture() {
    const std::string& path = owner_.profile().picture;
    if (path.empty() || account_.picture != MediaId{}) return;
    Engine& engine = this->engine();
    const MediaId picture = media_.load_picture(tree_, engine, account_, path);
    if (picture == MediaId{}) return;
    social::AccountEdit edit;
    edit.picture = picture;
    (void)engine.accounts().edit(account_, edit);
  }

  // ---- the second pass

  void load() {
    Engine& engine = this->engine();
    ties_.emplace(engine.storage(), engine.directory(), clock_, session_.pause(), account_.number);
    posts_.emplace(engine.storage(), engine.directory(), clock_, session_.pause(),
                   load::PostOptions{
                       .author = account_.number,
                       .people = {},
                       .original_refused = [this](std::string_view why) { note_original(why); }});
    // The first pass has reported what is wrong.
    input::BadLines told(std::numeric_limits<std::uint64_t>::max(), [](const std::string&) {});
    load::Words& words = posts_->words();
    const Sink sink{
        .post = [this](load::SourcePost&& post,
                       const input::InputPlace& /*place*/) { load_post(std::move(post)); },
        .like =
            [&](SourceId post) {
              ties_->like(words.key_of(post));
              session_.take();
            },
        .tie =
            [&](const load::SourceTie& tie) {
              ties_->add(tie.tie, words.key_of(tie.other),
                         tie.hiding_reposts ? Reposts::kOff : Reposts::kOn);
              session_.take();
            },
        .skip = [](const std::string& /*kind*/, std::uint64_t /*times*/,
                   std::string_view /*what*/) {},
        .bad = told,
        .words = words,
        .unlisted = unlisted_};
    reader_->read(tree_, sink);
  }

  void note_original(std::string_view why) {
    session_.remark("unreadableOriginals",
                    fmt::format("what a post repeats can't be used: {}", why));
  }

  void load_post(load::SourcePost&& post) {
    session_.take();
    narrow(post, widest_);
    if (!media_.settle(post)) return session_.count("postsWithoutContent", {});
    (void)posts_->add(std::move(post));  // problems are reported already
  }

  void finish() override {
    session_.show_taken();
    posts_->finish();
    ties_->finish();
  }

  void abandon() override {
    session_.show_taken();
    if (posts_) posts_->abandon();
    if (ties_) ties_->abandon();
  }

  [[nodiscard]] load::Counts counts() const override {
    load::Counts all = own_;
    if (posts_) all += posts_->counts();
    if (ties_) all += ties_->counts();
    all.media = media_.stored();
    // Links of media that can't be kept are put into the text only when a post is first stored.
    all.duplicates += std::exchange(all.same_id_other_text, 0);
    return all;
  }

  [[nodiscard]] std::uint64_t settled(const load::Counts& counts) const override {
    return counts.stored + counts.duplicates + counts.missing + counts.unknown_originals +
           counts.unknown_posts + counts.severed + counts.self_loops - counts.originals;
  }

  [[nodiscard]] Skipped skipped(const load::Counts& counts) const override {
    return skipped_of({{"duplicates", counts.duplicates}},
                      {{"unknownPosts", counts.unknown_posts},
                       {"unknownOriginals", counts.unknown_originals},
                       {"selfLoops", counts.self_loops},
                       {"blocked", counts.severed},
                       {"gone", counts.missing}});
  }

  Context& context_;
  const Clock& clock_;
  Privacy unlisted_;
  Privacy widest_;  // no post is visible to more people
  LoadSession session_;
  archive::Tree tree_;
  std::unique_ptr<archive::Reader> reader_;
  archive::Owner owner_;
  archive::ArchiveMedia media_;
  std::optional<load::Words> words_{std::in_place};  // of the first pass
  std::vector<load::SourcePost> with_media_;
  User account_;
  load::Counts own_;
  std::optional<load::PostLoader> posts_;
  std::optional<load::TieLoader> ties_;
};

void run_archive(Context& context, const ArchiveOptions& options) {
  ArchiveLoad(context, options).run();
}

}  // namespace

void add_load_archive(CommandLine& app) {
  auto [verb, options] = app.verb<ArchiveOptions>(
      load_noun(app),
      {"archive",
       "Load a person's archive of another service: a Twitter archive of any year or a Mastodon "
       "archive, as a zip, a tar or a folder, known by what it holds.",
       "chirp load archive twitter-2022-11-18.zip\n"
       "chirp load archive ./twitter-2013 --as mira\n"
       "chirp load archive twitter-2022-11-18.zip --dry-run"},
      run_archive);
  options.input.files.resize(1);
  verb.add_option("FILE-OR-FOLDER", options.input.files.front(), "The archive")->required();
  verb.add_option("--as", options.as, "Whose it is to be, there already or new")
      ->option_text("NAME");
  verb.add_option(
          "--unlisted", options.unlisted,
          "Who may see unlisted posts, which are for everybody but in no list (default: followers)")
      ->option_text("followers|public");
  add_privacy(verb, options.privacy);
  add_text(verb, "--max-errors", options.input.max_errors, "N", "Pass over up to N bad entries");
  add_memory(verb, options.input);
  verb.add_flag("--dry-run", options.input.dry_run,
                "Say what is understood and would be stored; no more");
}

}  // namespace chirp::cli
