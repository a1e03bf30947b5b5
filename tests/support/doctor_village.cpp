#include "tests/support/doctor_village.h"

#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/rules/writing.h"
#include "store/layout.h"
#include "store/sqlite/search.h"

namespace chirp::test {

namespace {

std::vector<std::string> lines(const std::vector<doctor::Finding>& findings) {
  std::vector<std::string> all;
  for (const doctor::Finding& finding : findings) all.push_back(words({finding}));
  std::ranges::sort(all);
  return all;
}

}  // namespace

Opened::Opened(const store::DataPlace& place)
    : system_(store::system_clock()),
      hasher_(store::bcrypt_hasher()),
      directory_(store::DataDirectory::open(place)),
      engine_(directory_->storage(), directory_->users(), *hasher_, *system_) {}

Opened::Opened(const std::filesystem::path& path, const Clock& clock)
    : hasher_(store::bcrypt_hasher()),
      directory_(store::DataDirectory::open(path)),
      engine_(directory_->storage(), directory_->users(), *hasher_, clock) {}

std::vector<doctor::Finding> Opened::examine() {
  auto found = doctor::examine(engine_, [](const doctor::Checked&) {});
  doctor::ExamineOptions options;
  options.walk.state_ns = 0;
  options.users_at_once = 2;
  CHECK(lines(doctor::examine(engine_, options)) == lines(found));
  return found;
}

Village::Village() {
  store::make_data_directory(path(), std::nullopt);
  const auto directory = store::DataDirectory::open(path());
  feed::FeedSettings settings;
  settings.influencer_from = 2;
  rules::change_settings(directory->storage(), settings, store::system_clock()->now());
  fill(*directory, 7, 3);
  // Long ago: nothing that is wrong with a card is taken for one that is yet to come.
  directory->users().settle_cards(directory->users().due_cards(~std::uint32_t{0}));
}

void Village::damage(const std::function<void(lmdb::WriteTxn&)>& body) const {
  const store::Layout layout(path());
  lmdb::Env::open(layout.engine(), layout.write_lock(), lmdb::OpenMode::kOpen)->write(body);
}

void Village::damage_users(std::string_view sql) const {
  sqlite::Connection connection(store::Layout(path()).users());
  sqlite::define_search(connection);
  connection.run(sql);
}

void Village::set_policy(feed::Policy policy) const {
  Opened opened(path());
  feed::FeedSettings settings = opened.directory().storage().snapshot()->state().settings;
  settings.policy = policy;
  rules::change_settings(opened.directory().storage(), settings, opened.engine().clock().now());
}

std::string words(const std::vector<doctor::Finding>& findings) {
  std::string text;
  for (const doctor::Finding& finding : findings) {
    text += fmt::format("{}: {}\n", doctor::name(finding.kind), finding.what);
  }
  return text;
}

bool has(const std::vector<doctor::Finding>& findings, doctor::FindingKind kind) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const doctor::Finding& finding) { return finding.kind == kind; });
}

std::string row_key(const lmdb::Txn& txn, lmdb::Table table, unsigned n) {
  lmdb::Cursor cursor(txn, table);
  auto item = cursor.first();
  for (unsigned i = 0; i < n && item; ++i) item = cursor.next();
  REQUIRE(item);
  return std::string(item->key);
}

}  // namespace chirp::test
