// `chirp export`: everything but passwords as JSON Lines, in the order of ids, so that the same
// data gives the same bytes.
//
//   users.jsonl      User without counters; `email`, `profileImageUrl`, `sourceId`,
//                    `nameGenerated`, `suspended`, `oldName` with `oldNameUntil`, and how far the
//                    home feed (`readTo`) and notifications (`notificationsReadTo`) are read, where
//                    they are
//   posts.jsonl      Post without counters; `sourceId` where there is one; of a repost `repostOf`
//                    has the ids of the original and its author alone
//   follows.jsonl    FollowState, by follower and then by followee; `"showingReposts":false` where
//                    the follower has switched them off
//   relations.jsonl  `userId`, `otherId`, `relation` (block, mute), `createdAt`
//   reactions.jsonl  `postId` or `commentId`, `userId`, `likeType`, `createdAt`
//   comments.jsonl   Comment without counters; `sourceId` where there is one
//   settings.json    as `config list --json` prints it
//   media/           the files that posts and profiles name, each under its id
//   export.json      written last: the format, 1; of each file above its rows and bytes; of media
//                    the number of files and their bytes. `load export` refuses what differs
#include "cli/export/export.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/directory/copies.h"
#include "cli/export/content.h"
#include "cli/export/new_file.h"
#include "cli/load/import_contents.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "core/error.h"
#include "core/ports/reads.h"
#include "core/settings.h"
#include "server/json/render.h"
#include "server/json/render_row.h"
#include "store/build_folder.h"
#include "store/disk_reserve.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string path;
};

constexpr std::uint32_t kExportedAtOnce = 1000;
constexpr std::uint64_t kRowsALook = 256;
constexpr std::uint64_t kCopiedFrom = std::uint64_t{256} << 20;  // bytes of an engine
constexpr const char* kExportEnds =
    "\nchirp: The export is interrupted, and what it had written is removed; run it again.\n";

// Users by number, read ahead where one follows the other.
class Users {
 public:
  explicit Users(const UserRows& directory) : directory_(directory) {}

  std::optional<User> find(UserNumber number) {
    if (at_ < block_.size() && block_[at_].number == number) return block_[at_++];
    if (number.value != last_.value + 1) {
      last_ = number;
      return directory_.find(number);
    }
    block_ = directory_.scan(last_, kExportedAtOnce);
    at_ = 0;
    if (block_.empty() || block_.front().number != number) return directory_.find(number);
    last_ = block_.back().number;
    return block_[at_++];
  }

 private:
  const UserRows& directory_;
  std::vector<User> block_;
  std::size_t at_ = 0;
  UserNumber last_ = kNobody;
};

class Export {
 public:
  Export(Storage& storage, UserDirectory& directory, const fs::path& into,
         const store::Watched& watched)
      : storage_(storage),
        directory_(directory),
        into_(into),
        watched_(watched),
        reserve_(into, store::reserve_from_environment()),
        snapshot_(storage.snapshot()),
        users_(*snapshot_),
        media_(directory.media(), into / "media", reserve_, copied_) {
    const auto rows = snapshot_->table_rows();
    for (const char* table : {"cards", "posts", "follows", "relations", "reactions", "comments"}) {
      if (const auto found = rows.find(table); found != rows.end()) total_ += found->second;
    }
  }

  store::Copied run() {
    write_users();
    write_posts();
    write_follows();
    write_with("relations.jsonl", export_relations);
    write_with("reactions.jsonl", export_reactions);
    write_with("comments.jsonl", export_comments);
    write_settings();
    write_contents();
    return copied_;
  }

 private:
  struct Written {
    const char* name;
    std::uint64_t rows;
    std::uint64_t bytes;
  };

  void count(const char* name, NewFile& file) {
    written_.push_back({name, std::exchange(file_rows_, 0), file.finish()});
    copied_.bytes += written_.back().bytes;
    ++copied_.files;
  }

  void write_line(NewFile& file) {
    json_.end_object();
    write_line(file, json_.take());
  }
  void write_line(NewFile& file, const std::string& line) {
    OrderlyEnd::check();
    file.write(line + "\n");
    ++file_rows_;
    if (watched_ && ++rows_ % kRowsALook == 0) watched_(rows_, total_);
  }

  using Exporter = void (*)(const Snapshot&, const ExportedUsers&, const WriteLine&);
  void write_with(const char* name, Exporter exporter) {
    NewFile file(into_ / name, &reserve_);
    exporter(*snapshot_, users_, [&](const std::string& line) { write_line(file, line); });
    count(name, file);
  }

  void write_users() {
    NewFile file(into_ / "users.jsonl", &reserve_);
    Users users(directory_);
    for (const ExportedUsers::Entry& person : users_.by_id()) {
      const auto user = users.find(person.number);
      if (!user) continue;  // removed a moment ago
      json_.begin_object();
      json_.field("userId", user->id);
      json_.field("username", user->username);
      json_.field("displayName", user->display_name);
      json_.field("bio", user->bio);
      if (user->picture != MediaId{}) {
        json_.field("profileImageUrl", address_of(user->picture));
        media_.add(user->picture);
      }
      json_.field("createdAt", user->created_at);
      if (user->email) json_.field("email", *user->email);
      if (user->source) write_source(json_, *user->source);
      if (user->name_origin == NameOrigin::kGenerated) json_.field("nameGenerated", true);
      if (user->suspended) json_.field("suspended", true);
      if (user->old_name) {
        json_.field("oldName", user->old_name->username);
        json_.field("oldNameUntil", user->old_name->until);
      }
      const ReadingMarks read = reads::reading(*snapshot_, person.number);
      if (read.feed && *read.feed != kBelowAllPosts) json_.field("readTo", *read.feed);
      if (read.notified != Sequence{0}) json_.field("notificationsReadTo", read.notified);
      write_line(file);
    }
    count("users.jsonl", file);
  }

  void write_posts() {
    NewFile file(into_ / "posts.jsonl", &reserve_);
    PostId after = kBelowAllPosts;
    for (;;) {
      const auto posts = reads::rows_above<tables::Posts>(*snapshot_, {after}, kExportedAtOnce);
      if (posts.empty()) break;
      std::vector<UserNumber> authors;
      for (const Post& post : posts) authors.push_back(post.author);
      const auto cards = reads::cards(*snapshot_, authors);
      for (std::size_t i = 0; i < posts.size(); ++i) {
        if (!cards[i] || cards[i]->presence == Presence::kRemoved) continue;
        if (posts[i].is_repost() && !shows_original(posts[i])) continue;
        json_.begin_object();
        api::write_post_row(json_, posts[i], *cards[i]);
        if (posts[i].is_repost()) write_repost_of(posts[i]);
        if (posts[i].source) write_source(json_, *posts[i].source);
        for (const Medium& medium : posts[i].media) {
          if (medium.upload != MediaId{}) media_.add(medium.upload);
        }
        write_line(file);
      }
      after = posts.back().id;
    }
    count("posts.jsonl", file);
  }

  // Whether the repost's original is there to be named; not if it is going away.
  [[nodiscard]] bool shows_original(const Post& repost) const {
    return is_exported_original(snapshot_->post(repost.original), users_);
  }
  void write_repost_of(const Post& repost) {
    json_.key("repostOf").begin_object();
    json_.field("postId", repost.original);
    json_.field("userId", users_.id(repost.original_author));
    json_.end_object();
  }

  [[nodiscard]] std::set<UserId> reposts_off(UserNumber follower) const {
    std::set<UserId> off;
    UserNumber after = kNobody;
    for (bool more = true; more;) {
      const EdgePage page =
          reads::related(*snapshot_, follower, Relation::kRepostsOff, after, kExportedAtOnce);
      for (const Edge& edge : page.edges) off.insert(users_.id(edge.other));
      more = page.more && !page.edges.empty();
      if (more) after = page.edges.back().other;
    }
    return off;
  }

  void write_follows() {
    NewFile file(into_ / "follows.jsonl", &reserve_);
    std::vector<social::FollowState> follows;
    for (const ExportedUsers::Entry& person : users_.by_id()) {
      follows.clear();
      UserNumber after = kNobody;
      for (bool more = true; more;) {
        const EdgePage page = reads::following(*snapshot_, person.number, after, kExportedAtOnce);
        for (const Edge& edge : page.edges) {
          const UserId other = users_.id(edge.other);
          if (other.value != 0) follows.push_back({person.id, other, edge.since});
        }
        more = page.more && !page.edges.empty();
        if (more) after = page.edges.back().other;
      }
      std::sort(follows.begin(), follows.end(),
                [](const auto& a, const auto& b) { return a.followee < b.followee; });
      const std::set<UserId> off = reposts_off(person.number);
      for (const social::FollowState& follow : follows) {
        json_.begin_object();
        api::write_follow_state_fields(json_, follow);
        if (off.contains(follow.followee)) json_.field("showingReposts", false);
        write_line(file);
      }
    }
    count("follows.jsonl", file);
  }

  void write_settings() {
    NewFile file(into_ / "settings.json", &reserve_);
    json_.begin_object();
    for (const settings::Setting& setting : settings::all(storage_)) {
      if (const auto* number = std::get_if<std::uint64_t>(&setting.value)) {
        json_.field(setting.key, *number);
      } else {
        json_.field(setting.key, std::get<std::string>(setting.value));
      }
    }
    write_line(file);
    count("settings.json", file);
  }

  // The files of the export with their rows, so that a copy that was cut short is recognized.
  void write_contents() {
    std::uint64_t media_bytes = copied_.bytes;
    for (const Written& one : written_) media_bytes -= one.bytes;
    json_.begin_object().field("format", kExportFormat);
    for (const Written& one : written_) {
      json_.key(one.name).begin_object();
      json_.field("rows", one.rows).field("bytes", one.bytes).end_object();
    }
    json_.key("media").begin_object().field("files", copied_.files - written_.size());
    json_.field("bytes", media_bytes).end_object();
    NewFile file(into_ / kExportContents, &reserve_);
    write_line(file);
    count(kExportContents, file);
  }

  Storage& storage_;
  UserDirectory& directory_;
  fs::path into_;
  const store::Watched& watched_;
  std::uint64_t rows_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t file_rows_ = 0;  // of the file that is being written
  std::vector<Written> written_;
  store::DiskReserve reserve_;
  std::unique_ptr<Snapshot> snapshot_;
  ExportedUsers users_;
  api::JsonWriter json_;
  store::Copied copied_;
  ExportMedia media_;
};

}  // namespace

store::Copied export_to(Storage& storage, UserDirectory& directory, const fs::path& into,
                        const store::Watched& watched) {
  return Export(storage, directory, into, watched).run();
}

namespace {

// Where an export may go, without links: where there is nothing, or an empty directory.
fs::path free_place(const fs::path& asked, const fs::path& data) {
  const fs::path place = store::plain_path(asked);
  std::error_code error;
  const bool there = fs::exists(fs::symlink_status(place, error));
  if (there && !(fs::is_directory(place, error) && fs::is_empty(place, error))) {
    throw Error(ErrorCode::kConflict, fmt::format("There is something at {} already. Name a "
                                                  "directory that is not there yet.",
                                                  asked.string()));
  }
  store::refuse_inside(place, data);
  return place;
}

// Bytes for users and media, and for the engine so many times.
std::uint64_t room_for_export(const store::DataDirectory& directory, std::uint64_t engines) {
  const store::StoreBytes bytes = directory.bytes();
  return bytes.users + engines * bytes.engine + bytes.media;
}

// A copy of a large engine, where there is room for one; else null. While a state is held the file
// grows with the commits of others, and writing text takes many times as long as copying.
std::unique_ptr<Storage> copy_of_engine(Context& context, const fs::path& folder) {
  store::DataDirectory& directory = context.directory();
  if (directory.place().is_database() || directory.bytes().engine < kCopiedFrom) return nullptr;
  try {
    // The copy and the text, which may be longer.
    store::check_room_for("The export", folder, room_for_export(directory, 3),
                          store::reserve_from_environment());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kStorageFull) throw;
    return nullptr;
  }
  ProgressLine progress(context.out(), context.clock(), "bytes copied");
  const auto watched = progress.watched();
  return directory.copy_engine(folder, [&](std::uint64_t done, std::uint64_t total) {
    OrderlyEnd::check();
    watched(done, total);
  });
}

void run_export(Context& context, const ExportOptions& options) {
  const OrderlyEnd end(kExportEnds);
  store::DataDirectory& directory = context.directory();
  const fs::path place =
      free_place(directory_argument("DIR", options.path), directory.place().folder());
  if (!directory.place().is_database()) {
    // As text it may be longer, so what is written looks on the way, too.
    store::check_room_for("The export", place, room_for_export(directory, 1),
                          store::reserve_from_environment());
  }
  store::BuildFolder build(place);
  const auto copy = copy_of_engine(context, build.path());
  ProgressLine progress(context.out(), context.clock(), "rows");
  const store::Copied copied = export_to(copy ? *copy : directory.storage(), directory.users(),
                                         build.path(), progress.watched());
  progress.clear();
  OrderlyEnd::check();
  build.put_in_place();
  print_copied(context, "Exported to", options.path, copied);
  if (was_interrupted()) context.out().flush();
}

}  // namespace

void add_export(CommandLine& app) {
  auto [verb, options] = app.verb<ExportOptions>(
      app.root(),
      {"export",
       "Write everything but passwords as JSON Lines; `load export` takes it "
       "back.",
       "chirp export ./world\n"
       "chirp --data ./other init && chirp --data ./other load export ./world"},
      run_export);
  verb.add_option("DIR", options.path, "A directory that is not there yet")->required();
}

}  // namespace chirp::cli
