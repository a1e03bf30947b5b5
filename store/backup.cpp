#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "core/social/card.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/disk_reserve.h"
#include "store/files.h"
#include "store/lmdb/storage.h"
#include "store/manifest.h"
#include "store/media_files.h"
#include "store/parts.h"
#include "store/sqlite/user_directory.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kScan = 1000;

// The users of a directory by number, for look-ups in ascending order.
class UserWalk {
 public:
  explicit UserWalk(const UserRows& users) : users_(users) {}

  const User* find(UserNumber number) {
    while (at_ < page_.size() ? page_[at_].number < number : !done_) {
      if (++at_ < page_.size()) continue;
      page_ = users_.scan(page_.empty() ? kNobody : page_.back().number, kScan);
      at_ = 0;
      done_ = page_.empty();
    }
    return at_ < page_.size() && page_[at_].number == number ? &page_[at_] : nullptr;
  }

 private:
  const UserRows& users_;
  std::vector<User> page_;
  std::size_t at_ = 0;
  bool done_ = false;
};

// Updates the cards of a copy from the users' rows, which are copied later: a user without a row is
// removed, and a renamed user gets the new name.
void follow_users(Storage& engine, const UserRows& users, Time now) {
  UserWalk walk(users);
  for (UserNumber after = kNobody;;) {
    const auto cards = reads::rows_above<tables::Cards>(*engine.snapshot(), {after}, kScan);
    if (cards.empty()) return;
    after = cards.back().number;
    std::vector<Change> changes;
    std::vector<UserNumber> gone;
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kRemoved) continue;
      const User* user = walk.find(card.number);
      if (user == nullptr) {
        gone.push_back(card.number);
        changes.emplace_back(MarkRemoved{card.number});
      } else if (social::card_of(*user) != card) {
        changes.emplace_back(PutCard{social::card_of(*user)});
      }
    }
    if (!changes.empty()) engine.write(changes, now);
    for (const UserNumber user : gone) {
      while (!rules::remove_traces(engine, user, kScan, now)) {
      }
    }
  }
}

// Makes cards for users who signed up between the two copies.
void welcome_users(Storage& engine, const UserRows& users, Time now) {
  for (UserNumber after = kNobody;;) {
    const auto page = users.scan(after, kScan);
    if (page.empty()) return;
    after = page.back().number;
    std::vector<UserNumber> numbers;
    for (const User& user : page) numbers.push_back(user.number);
    const auto cards = reads::cards(*engine.snapshot(), numbers);
    std::vector<Change> changes;
    for (std::size_t i = 0; i < page.size(); ++i) {
      if (!cards[i]) changes.emplace_back(PutCard{social::card_of(page[i])});
    }
    if (!changes.empty()) (void)engine.write(changes, now);
  }
}

// Removes a row whose upload was removed during the backup: the file was gone before it was copied,
// but the row was copied before it was gone.
void forget(sqlite::SqliteUserDirectory& users, const Upload& upload) {
  if (const auto owner = users.find(upload.owner); owner && owner->picture == upload.id) {
    UserEdit edit;
    edit.picture = MediaId{};
    (void)users.edit(owner->number, edit);
  }
  users.media().remove_idle({&upload.id, 1}, Time{upload.idle_since.ms + 1});
}

// Counts the files that rows of the copy name and that the directory lacks.
void find_missing(const Layout& from, const MediaStore& live, const Layout& copy,
                  sqlite::SqliteUserDirectory& users, Copied& copied) {
  std::set<std::string> missing;
  for (MediaId after{};;) {
    const auto uploads = users.media().scan(after, kScan);
    if (uploads.empty()) break;
    after = uploads.back().id;
    for (const Upload& upload : uploads) {
      if (fs::exists(copy.media() / upload.hash)) continue;
      if (!live.find(upload.id)) {
        forget(users, upload);
      } else if (missing.insert(upload.hash).second && missing.size() == 1) {
        copied.first_missing = from.media() / upload.hash;
      }
    }
  }
  copied.missing = missing.size();
}

// Makes the copies of the two stores agree, because no transaction covers both. Returns the
// sequence of the engine's last event.
Sequence reconcile(const Layout& copy, sqlite::SqliteUserDirectory& users) {
  auto env = lmdb::Env::open(copy.engine(), copy.write_lock(), lmdb::OpenMode::kOpen);
  const auto engine = lmdb::open_storage(env);
  const Time now = system_clock()->now();
  follow_users(*engine, users, now);
  welcome_users(*engine, users, now);
  const Sequence last{engine->snapshot()->state().log_end.value - 1};
  users.reset_noted_events(last);  // its mark may be later than the engine's copy
  return last;
}

// Removes the working files of open stores.
void remove_working_files(const Layout& copy) {
  std::error_code missing;
  const fs::path log = copy.users().string() + "-wal";
  const auto left = fs::file_size(log, missing);
  check(missing || left == 0, "the log of a closed copy is folded into its file");
  for (const fs::path& file : {log, fs::path(copy.users().string() + "-shm"),
                               copy.engine() / "lock.mdb", copy.write_lock(), copy.media_lock()}) {
    ::unlink(file.c_str());
  }
}

bool is_backed_up(std::string_view file) {
  return file == "users.db" || file == "engine/data.mdb" || file.starts_with("media/");
}

// Copies the files that are missing.
void copy_media(const fs::path& from, const fs::path& to) {
  for (const std::string& file : MediaFiles(from).names()) {
    std::error_code error;
    if (fs::exists(to / file, error)) continue;
    make_folders((to / file).parent_path());
    try {
      copy_hashed(from / file, to / file);
    } catch (const Error&) {
      if (fs::exists(from / file, error)) throw;
      ::unlink((to / file).c_str());  // removed meanwhile
    }
  }
}

}  // namespace

Copied back_up(const Layout& layout, const Identity& identity,
               const std::shared_ptr<lmdb::Env>& env, sqlite::SqliteUserDirectory& users,
               const fs::path& destination) {
  const fs::path plain = plain_path(destination);
  if (fs::exists(fs::symlink_status(plain))) {
    throw Error(ErrorCode::kConflict,
                fmt::format("There is something at {} already. Choose another place for the "
                            "backup.",
                            plain.string()));
  }
  refuse_inside(plain, layout.root);
  check_room_for("The backup", plain,
                 env->bytes_in_use() + users.bytes_in_use() + bytes_below(layout.media()),
                 reserve_from_environment());
  BuildFolder build(plain);
  const Layout copy(build.path());
  make_folder(copy.engine());
  env->copy_to(copy.engine_data());
  // Every file named by a copied row existed when the row was copied. Files are copied before the
  // rows, and once more after them for uploads in between. Files that no copied row names are
  // removed again.
  make_folder(copy.media());
  copy_media(layout.media(), copy.media());
  users.copy_to(copy.users());
  copy_media(layout.media(), copy.media());
  Copied copied;
  Manifest manifest{identity, {}, {}};
  {
    const auto copied_users = sqlite::open_user_directory(copy.users());
    copied_users->media().repair();
    find_missing(layout, users.media(), copy, *copied_users, copied);
    manifest.events = reconcile(copy, *copied_users);
  }
  remove_working_files(copy);

  for (const std::string& file : files_below(build.path())) {
    if (!is_backed_up(file)) continue;
    const FileHash hash = hash_of(build.path() / file);
    manifest.files.emplace(file, hash);
    copied.files += 1;
    copied.bytes += hash.bytes;
  }
  write_manifest(build.path(), manifest);
  build.put_in_place();
  return copied;
}

}  // namespace chirp::store
