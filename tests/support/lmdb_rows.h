// A plain LMDB file for tests, with numbered rows.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <lmdb.h>

namespace chirp::test {

class LmdbRows {
 public:
  using Model = std::map<std::string, std::string>;

  explicit LmdbRows(const std::filesystem::path& folder) : file_(folder / "data.mdb") {
    expect(mdb_env_create(&env_));
    expect(mdb_env_set_mapsize(env_, std::size_t{64} << 20));
    expect(mdb_env_open(env_, folder.c_str(), MDB_NOSYNC, 0600));
  }
  ~LmdbRows() { mdb_env_close(env_); }
  LmdbRows(const LmdbRows&) = delete;
  LmdbRows& operator=(const LmdbRows&) = delete;

  // In one transaction: puts rows, then removes others.
  void change(const Model& put, const std::vector<std::string>& take) {
    MDB_txn* txn = nullptr;
    MDB_dbi table = 0;
    expect(mdb_txn_begin(env_, nullptr, 0, &txn));
    expect(mdb_dbi_open(txn, nullptr, 0, &table));
    for (auto [key, value] : put) {
      MDB_val k{key.size(), const_cast<char*>(key.data())};
      MDB_val v{value.size(), value.data()};
      expect(mdb_put(txn, table, &k, &v, 0));
      model_[key] = value;
    }
    for (std::string key : take) {
      MDB_val k{key.size(), key.data()};
      (void)mdb_del(txn, table, &k, nullptr);
      model_.erase(key);
    }
    expect(mdb_txn_commit(txn));
  }

  // The rows after the last transaction.
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] std::size_t pages() const {
    MDB_envinfo info{};
    expect(mdb_env_info(env_, &info));
    return info.me_last_pgno + 1;
  }

  // All rows of the file in `folder`, which must not be open elsewhere.
  [[nodiscard]] static Model read(const std::filesystem::path& folder) {
    MDB_env* env = nullptr;
    MDB_txn* txn = nullptr;
    MDB_dbi table = 0;
    MDB_cursor* cursor = nullptr;
    expect(mdb_env_create(&env));
    expect(mdb_env_set_mapsize(env, std::size_t{64} << 20));
    expect(mdb_env_open(env, folder.c_str(), MDB_RDONLY | MDB_NOLOCK, 0600));
    expect(mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn));
    expect(mdb_dbi_open(txn, nullptr, 0, &table));
    expect(mdb_cursor_open(txn, table, &cursor));
    Model rows;
    MDB_val k{};
    MDB_val v{};
    while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == MDB_SUCCESS) {
      rows.emplace(std::string(static_cast<const char*>(k.mv_data), k.mv_size),
                   std::string(static_cast<const char*>(v.mv_data), v.mv_size));
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    mdb_env_close(env);
    return rows;
  }

 private:
  static void expect(int status) { REQUIRE_MESSAGE(status == MDB_SUCCESS, mdb_strerror(status)); }

  std::filesystem::path file_;
  MDB_env* env_ = nullptr;
  Model model_;
};

}  // namespace chirp::test
