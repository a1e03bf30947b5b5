// The follows of an export. They are parsed while the ones before them are looked up and stored.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/load/import_check.h"
#include "cli/load/import_row.h"
#include "cli/load/import_users.h"
#include "core/engine.h"
#include "core/load/edge_restorer.h"
#include "core/load/turns.h"

namespace chirp::cli {

class ImportFollows {
 public:
  // The arguments must outlive it. `turns` are those of the whole load.
  ImportFollows(Engine& engine, ImportReader& reader, const ImportCheck& check,
                const ImportNumbers& numbers, load::Turns& turns, load::Bulk bulk,
                BulkOptions options);

  // Stores all of them. Returns how many were skipped because one of the users has been removed
  // since they were loaded, or has blocked the other.
  LoadCounts read();

  // The progress of a bulk load, if there is one. From any thread.
  [[nodiscard]] std::optional<BulkProgress> reach() const { return edges_.reach(); }

 private:
  struct Follow {
    UserId follower;
    UserId followee;
    Time since;
    Reposts reposts;
  };
  struct Batch {
    ImportedLines lines;
    std::vector<Follow> follows;
  };

  static Follow follow_of(const Row& row);
  void store(const Batch& batch);
  [[nodiscard]] UserNumber number_of(UserId id, std::size_t index) const;

  ImportReader& reader_;
  const ImportCheck& check_;
  const ImportNumbers& numbers_;
  load::Turns& turns_;
  load::EdgeRestorer edges_;
};

}  // namespace chirp::cli
