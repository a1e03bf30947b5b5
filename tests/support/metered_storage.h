// A store that counts the records read from it: rows found by key or in a range, posts, counters,
// entries of logs and timelines, and the data that a page of a feed starts from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/forwarding_storage.h"
#include "core/ports/storage.h"

namespace chirp::test {

class MeteredSnapshot final : public Snapshot {
 public:
  MeteredSnapshot(std::unique_ptr<Snapshot> inner, std::uint64_t& records)
      : inner_(std::move(inner)), records_(records) {}

  [[nodiscard]] StoreState state() const override { return inner_->state(); }
  [[nodiscard]] std::vector<std::optional<Post>> posts_at(
      std::span<const PostId> ids) const override {
    return counted(inner_->posts_at(ids));
  }
  [[nodiscard]] std::vector<UserCounters> counters(
      std::span<const UserNumber> numbers) const override {
    return counted(inner_->counters(numbers));
  }
  [[nodiscard]] std::vector<ContentCounters> content_counters(
      std::span<const ContentId> contents) const override {
    return counted(inner_->content_counters(contents));
  }
  [[nodiscard]] std::vector<ViewerRelation> bonds(
      UserNumber viewer, std::span<const UserNumber> others) const override {
    return counted(inner_->bonds(viewer, others));
  }
  [[nodiscard]] FeedSources feed_sources(UserNumber viewer) const override {
    FeedSources sources = inner_->feed_sources(viewer);
    records_ += 1 + sources.following.size() + sources.marks.size() + sources.pending.size();
    return sources;
  }
  [[nodiscard]] std::vector<Entry> timeline_entries(UserNumber viewer, IdRange range,
                                                    Direction direction,
                                                    std::uint32_t limit) const override {
    return counted(inner_->timeline_entries(viewer, range, direction, limit));
  }
  [[nodiscard]] std::vector<Entry> author_entries(const LogsOf& logs, IdRange range,
                                                  Direction direction,
                                                  std::uint32_t limit) const override {
    return counted(inner_->author_entries(logs, range, direction, limit));
  }
  [[nodiscard]] std::optional<Timeline> timeline(UserNumber viewer) const override {
    return inner_->timeline(viewer);
  }
  [[nodiscard]] std::vector<UserNumber> scan_timelines(UserNumber after,
                                                       std::uint32_t limit) const override {
    return counted(inner_->scan_timelines(after, limit));
  }
  [[nodiscard]] std::optional<Time> oldest_key() const override { return inner_->oldest_key(); }
  [[nodiscard]] std::vector<std::string_view> traces_of(UserNumber user) const override {
    return inner_->traces_of(user);
  }
  [[nodiscard]] std::map<std::string, std::uint64_t> table_rows() const override {
    return inner_->table_rows();
  }
  [[nodiscard]] std::vector<std::string> problems() const override { return inner_->problems(); }

  void find_rows(const TableType& type, std::span<const void* const> keys,
                 std::span<void* const> found) const override {
    inner_->find_rows(type, keys, found);
    for (const void* const row : found) records_ += is_found(AllTables{}, type, row) ? 1u : 0u;
  }
  std::size_t find_ranges(const TableType& type, std::span<const AnyEnds> wanted,
                          Direction direction, std::uint32_t limit, std::uint64_t enough,
                          std::span<void* const> found) const override {
    const std::size_t answered = inner_->find_ranges(type, wanted, direction, limit, enough, found);
    // Each range counts as one read, even if it is empty.
    for (std::size_t i = 0; i < answered; ++i) records_ += 1 + rows_in(AllTables{}, type, found[i]);
    return answered;
  }

 private:
  template <class... T>
  static bool is_found(TableList<T...> /*tables*/, const TableType& type, const void* row) {
    bool found = false;
    const auto look = [&]<class One>() {
      using Row = std::optional<typename One::Row>;
      if (type.index == kIndexOf<One>) found = static_cast<const Row*>(row)->has_value();
    };
    (look.template operator()<T>(), ...);
    return found;
  }
  template <class... T>
  static std::size_t rows_in(TableList<T...> /*tables*/, const TableType& type, const void* pairs) {
    std::size_t rows = 0;
    const auto look = [&]<class One>() {
      if (type.index == kIndexOf<One>) rows = static_cast<const RowPairs<One>*>(pairs)->size();
    };
    (look.template operator()<T>(), ...);
    return rows;
  }
  template <class Answers>
  Answers counted(Answers answers) const {
    records_ += answers.size();
    return answers;
  }

  std::unique_ptr<Snapshot> inner_;
  std::uint64_t& records_;
};

// Not thread-safe. The inner store must outlive it.
class MeteredStorage final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    return std::make_unique<MeteredSnapshot>(inner_.snapshot(), records_);
  }
  // Returns the number of records read since the last call.
  [[nodiscard]] std::uint64_t take_records() const { return std::exchange(records_, 0); }

 private:
  mutable std::uint64_t records_ = 0;
};

}  // namespace chirp::test
