// What a command has at hand: the data directory and its engine, opened when first asked for; the
// clock; the output.
//
// An answer goes out before what can wait: the consumers, the building of timelines. So `settle`
// runs after the command, and a failure in it is a warning, since what was acknowledged is done.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cli/output.h"
#include "cli/terminal.h"
#include "core/engine.h"
#include "core/ports/clock.h"
#include "store/data_directory.h"

namespace chirp::cli {

enum class Wait : std::uint8_t { kForConsumers, kNo };

// The options that every command takes.
struct Globals {
  store::DataPlace data;
  Audience audience = Audience::kPipe;
  WindowSize window{};  // of a terminal
  Colour colour = Colour::kNo;
  Verbosity verbosity = Verbosity::kNormal;
  Wait wait = Wait::kForConsumers;
};

class Context {
 public:
  explicit Context(Globals globals);
  ~Context();

  [[nodiscard]] const Globals& globals() const { return globals_; }
  [[nodiscard]] Output& out() { return out_; }
  [[nodiscard]] const Clock& clock();
  [[nodiscard]] Time now() { return clock().now(); }

  // Throws what DataDirectory::open throws.
  [[nodiscard]] store::DataDirectory& directory();
  // For reading.
  [[nodiscard]] Engine& engine();
  // Lets go of the directory, so that nobody who reads an answer for long holds anything of it. For
  // commands that have read all: what came from here before is gone.
  void close();
  // For writing: takes up first what a crash left half-way; `settle` lets the consumers run.
  [[nodiscard]] Engine& writing_engine();

  // To be done once the answer is out.
  void later(std::function<void()> work) { later_.push_back(std::move(work)); }
  // Writes the answer out, then does what can wait. Throws if the answer could not be written, but
  // not before all else is done.
  void settle();

 private:
  void drain();

  Globals globals_;
  Output out_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<PasswordHasher> hasher_;
  std::unique_ptr<store::DataDirectory> directory_;
  std::optional<Engine> engine_;
  std::vector<std::function<void()>> later_;
  bool wrote_ = false;
};

}  // namespace chirp::cli
