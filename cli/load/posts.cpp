// `chirp load posts`: posts from files, with the time they were written.
#include "cli/input/posts.h"

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/commands.h"
#include "cli/load/names.h"
#include "cli/load/session.h"
#include "core/error.h"
#include "core/load/post_loader.h"
#include "core/model/names.h"

namespace chirp::cli {
namespace {

// Posts between two looks at the clock: cheap beside reading them.
constexpr std::uint64_t kShowEvery = 256;

struct PostOptions {
  std::vector<std::string> files;
  std::string format = "auto";
  std::string as;
  std::string names;
  std::optional<std::string> max_errors;
  std::string encoding = "utf-8";
  std::string ids = "auto";
};

class PostLoad {
 public:
  PostLoad(Context& context, const PostOptions& options)
      : format_(format_of(options)),
        kind_(parse_id_kind(options.ids)),
        session_(context, "posts", options.files, parse_max_errors(options.max_errors),
                 options.encoding),
        names_(session_, options.names),
        storage_(context.writing_engine().storage()),
        loader_(storage_, context.engine().directory(), context.clock(), session_.pause(),
                {.author = author_of(context, options),
                 .people = {},
                 .original_refused = [this](std::string_view why) { note_original(why); }}) {
    names_.use(loader_.words());
  }

  void run() {
    session_.run({.work = [this] { read_all(); },
                  .finish = [this] { finish(); },
                  .abandon =
                      [this] {
                        show();
                        loader_.abandon();
                      },
                  .counts = [this] { return loader_.counts(); },
                  .settled =
                      [](const load::Counts& counts) {
                        return counts.stored + counts.duplicates + counts.missing +
                               counts.unknown_originals - counts.originals;
                      },
                  .skipped = [this](const load::Counts& counts) { return skipped(counts); },
                  .other_members = [this] { return other_members_; },
                  .said_users = [this] { return said_users_; }});
  }

 private:
  static input::PostFormat format_of(const PostOptions& options) {
    if (const auto format = input::post_format_named(options.format)) return *format;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--format takes auto, jsonl, csv or twitter, not \"{}\".",
                            printable(options.format)));
  }

  static std::optional<UserNumber> author_of(Context& context, const PostOptions& options) {
    if (options.as.empty()) return std::nullopt;
    return context.engine().accounts().resolve(options.as).number;
  }

  void read_all() {
    read_names();
    const input::PostSink sink{
        .post = [this](load::SourcePost&& post,
                       const input::Place& place) { return add(std::move(post), place); },
        .user = [this](load::SourceUser&& user) { loader_.say(std::move(user)); },
        .ids = {&loader_.words(), kind_}};
    input::PostReader reader(format_, session_.bad(), sink);
    session_.each_member([&](const input::Source& source, input::TextBuffer& buffer) {
      const auto result =
          reader.read(buffer, source.name(),
                      source.has_members() ? input::Unknown::kSkipped : input::Unknown::kRefused);
      if (result.skipped) ++other_members_;
      if (result.users > 0) said_users_ = true;
      show();
    });
  }

  std::optional<std::string> add(load::SourcePost&& post, const input::Place& place) {
    place_ = place;
    auto problem = loader_.add(std::move(post));
    if (!problem && ++unshown_ == kShowEvery) show();
    return problem;
  }
  void note_original(std::string_view why) {
    session_.remark("unreadableOriginals",
                    fmt::format("{}:{}: what this one repeats can't be used: {}", place_.name,
                                place_.line, why));
  }
  void show() { session_.read(std::exchange(unshown_, 0)); }

  void read_names() {
    names_.read([this](load::SourceUser&& user) { loader_.say(std::move(user)); });
  }

  void finish() {
    show();
    loader_.finish();
    if (loader_.names_refused()) {
      read_names();  // of users who were not there yet, and too many to remember
      loader_.finish();
    }
    names_.account(storage_);
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> skipped(
      const load::Counts& counts) const {
    std::vector<std::pair<std::string, std::uint64_t>> why{{"duplicates", counts.duplicates}};
    if (counts.missing > 0) why.emplace_back("gone", counts.missing);
    if (counts.unknown_originals > 0) {
      why.emplace_back("unknownOriginals", counts.unknown_originals);
    }
    if (other_members_ > 0) why.emplace_back("otherMembers", other_members_);
    return why;
  }

  input::PostFormat format_;
  input::IdKind kind_;
  LoadSession session_;
  NamesFile names_;
  Storage& storage_;
  load::PostLoader loader_;
  input::Place place_{};  // of the post that is being added
  std::uint64_t unshown_ = 0;
  std::uint64_t other_members_ = 0;
  bool said_users_ = false;  // members with users and nothing else were understood
};

Status run_posts(Context& context, const PostOptions& options) {
  PostLoad(context, options).run();
  return Status::kDone;
}

}  // namespace

void add_load_posts(App& app) {
  auto [verb, options] = app.verb<PostOptions>(
      load_noun(app),
      {"posts",
       "Load posts with the time they were written: JSON Lines, CSV, Twitter's JSON; packed or "
       "not.",
       "chirp load posts posts.jsonl\n"
       "chirp load posts tweets.tar.zst --names people.csv\n"
       "chirp load posts --as mira --format csv diary.csv\n"
       "jq -c '.[]' posts.json | chirp load posts -"},
      run_posts);
  verb.add_option("FILE", options.files, "What to load; - is standard input")->required();
  verb.add_option("--format", options.format, "Of the files; auto unless told")
      ->option_text("auto|jsonl|csv|twitter");
  verb.add_option("--as", options.as, "Whose posts they are, whatever the file says")
      ->option_text("NAME");
  verb.add_option("--names", options.names, "A table of users with a header: id, name, …")
      ->option_text("FILE");
  add_encoding(verb, options.encoding);
  add_ids(verb, options.ids);
  add_text(verb, "--max-errors", options.max_errors, "N", "Pass over up to N bad lines");
}

}  // namespace chirp::cli
