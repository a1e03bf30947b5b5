// A data directory that is kept busy: a server with clients of every kind, commands beside it,
// loads, removals and backups, round by round. Each round adds as much as an earlier one that it
// takes away, and every backup is restored and examined.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

class SoakWorld {
 public:
  SoakWorld();

  // Whatever fails fails the test.
  void round();

  // ---- between two rounds
  [[nodiscard]] std::uint64_t memory_bytes() const;  // of the server's own, without mapped files
  [[nodiscard]] std::uint64_t descriptors() const;   // of the server
  [[nodiscard]] std::uint64_t file_bytes() const;    // of the data directory
  [[nodiscard]] std::uint64_t reader_slots();        // that were in use at once

  // People who are removed in a round: each leaves a card that keeps the number taken.
  static constexpr std::uint64_t kRemovedPeople = 6;

  // Ends the server and proves everything: doctor, every feed, the last backup.
  void finish();

 private:
  struct Kept {  // a post of a resident, until a later round
    std::size_t resident;
    std::string id;
  };

  Told ask(const Question& question);
  void write_graph(std::size_t group) const;
  void talk(std::size_t resident);
  void log_in_and_out();
  void leave_early();
  void remove_the_oldest();
  // Waits until the server has noticed who has left.
  void rest();
  std::uint64_t metric(std::string_view name);
  static void prove(const std::string& data, const std::vector<std::string>& proof);
  // Puts the last backup into a folder of its own.
  [[nodiscard]] std::string restore() const;

  TempFolder folder_{TempFolder::Where::kDisk};
  std::string data_;
  std::vector<std::string> tokens_;  // of the residents
  std::vector<std::string> ids_;     // of the residents, in the same order
  ServerProcess server_;
  Asker client_;
  std::deque<Kept> kept_;
  std::uint64_t rounds_ = 0;
  std::filesystem::path backup_;  // the last one
};

}  // namespace chirp::test
