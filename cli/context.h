// The environment of a command: the data directory and its engine, opened on first use; the clock;
// the output.
//
// The answer is written before work that can wait: the consumers and the building of timelines.
// `settle` does that work. The change is stored, so a failure in it is shown only by `--verbose`.
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
  OutputAudience audience = OutputAudience::kPipe;
  WindowSize window{};  // of the terminal
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
  // For reading only.
  [[nodiscard]] Engine& engine();
  // Closes the directory, so that a slow reader of the output holds nothing open. For commands that
  // have read everything: references obtained from this context become invalid.
  void close();
  // For writing. First finishes work that a crash interrupted; `settle` runs the consumers.
  [[nodiscard]] Engine& writing_engine();

  // Defers work until the answer has been written.
  void later(std::function<void()> work) { later_.push_back(std::move(work)); }
  // Writes the answer, then does the deferred work. If the answer can't be written, it still does
  // that work first and then throws.
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
