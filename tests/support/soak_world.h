// A data directory under constant use: a server with all kinds of clients, concurrent commands,
// loads, removals and backups, in rounds. Each round removes as much as an earlier one added, and
// every backup is restored and examined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// How much the last third may exceed the middle one.
struct Tolerance {
  double share = 0;       // relative to the middle third
  double more = 0;        // added to that
  double each_round = 0;  // permanent growth allowed for each round
};

// Checks that a value does not grow in the long run: compares samples of the middle and the last
// third of the rounds. The first third is for warming up.
class Level {
 public:
  Level(std::string what, Tolerance tolerance) : what_(std::move(what)), tolerance_(tolerance) {}

  void add(double sample) { samples_.push_back(sample); }
  // The means of the middle and the last third; needs at least three samples.
  [[nodiscard]] double middle() const;
  [[nodiscard]] double last() const;
  [[nodiscard]] bool holds() const;
  // `memory: 5.1 in the middle third, 5.2 in the last, of 30 rounds`
  [[nodiscard]] std::string words() const;

 private:
  [[nodiscard]] double mean(std::size_t begin, std::size_t end) const;

  std::string what_;
  Tolerance tolerance_;
  std::vector<double> samples_;
};

class SoakWorld {
 public:
  SoakWorld();

  // Any failure fails the test.
  void round();

  // ---- measurements between two rounds
  [[nodiscard]] std::uint64_t memory_bytes() const;  // of the server, without mapped files
  [[nodiscard]] std::uint64_t descriptors() const;   // of the server
  [[nodiscard]] std::uint64_t file_bytes() const;    // of the data directory
  [[nodiscard]] std::uint64_t reader_slots();        // used at the same time

  // Users removed in a round: each leaves a card that keeps the number reserved.
  static constexpr std::uint64_t kRemovedPeople = 6;

  // Ends the server and checks everything: doctor, every feed, the last backup.
  void finish();

 private:
  struct Kept {  // a resident's post, kept until a later round
    std::size_t resident;
    std::string id;
  };

  Told ask(const Question& question);
  void write_graph(std::size_t group) const;
  void talk(std::size_t resident);
  void log_in_and_out();
  void leave_early();
  void remove_the_oldest();
  // Waits until the server has noticed that clients have left.
  void rest();
  std::uint64_t metric(std::string_view name);
  static void prove(const std::string& data, const std::vector<std::string>& proof);
  // Restores the last backup into its own folder.
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
