#include "cli/context.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"

namespace chirp::cli {

Context::Context(Globals globals)
    : globals_(std::move(globals)),
      out_(globals_.audience, globals_.colour, globals_.verbosity, globals_.window.columns) {}

Context::~Context() = default;

const Clock& Context::clock() {
  if (!clock_) clock_ = store::system_clock();
  return *clock_;
}

store::DataDirectory& Context::directory() {
  if (!directory_) {
    directory_ = store::DataDirectory::open(globals_.data);
    out_.detail(fmt::format("data directory {}", safe(globals_.data.text())));
  }
  return *directory_;
}

Engine& Context::engine() {
  if (!engine_) {
    store::DataDirectory& opened = directory();
    hasher_ = store::bcrypt_hasher();
    engine_.emplace(opened.storage(), opened.users(), *hasher_, clock());
  }
  return *engine_;
}

void Context::close() {
  engine_.reset();
  directory_.reset();
}

Engine& Context::writing_engine() {
  Engine& engine = this->engine();
  if (!wrote_) {
    engine.storage().settle();
    engine.accounts().resume();
  }
  wrote_ = true;
  return engine;
}

void Context::settle() {
  std::exception_ptr unanswered;
  try {
    out_.flush();
  } catch (const Error&) {
    unanswered = std::current_exception();
  }
  try {
    for (const auto& work : later_) work();
    later_.clear();
    if (wrote_) drain();
  } catch (const Error& error) {
    out_.detail(fmt::format("left for later: {}", safe(error.what())));
  }
  if (unanswered) std::rethrow_exception(unanswered);
}

void Context::drain() {
  Storage& storage = engine_->storage();
  if (globals_.wait == Wait::kNo) {
    const StoreState state = storage.snapshot()->state();
    const Sequence taken = std::min(state.fan_out, state.counters);
    if (state.log_end.value - taken.value <= limits::kPendingEventsMax) return;
  }
  std::unique_ptr<store::DataDirectory::ConsumerRight> right;
  try {
    right = directory_->try_consumer_right();
  } catch (const Error& error) {
    out_.warn(fmt::format("Timelines and counters are updated later: {}", safe(error.what())));
    return;
  }
  if (!right) {
    out_.detail("another process keeps timelines and counters up to date");
    return;
  }
  const std::int64_t start = clock().steady_ns();
  const bool is_done = events::drain(storage, clock());
  if (const auto removed = engine_->media().sweep(); removed > 0) {
    out_.detail(
        fmt::format("removed {} that nothing refers to", counted(removed, "file", "files")));
  }
  if (!is_done) {
    out_.note(
        "The disk reserve is reached: timelines and counters are updated later. Reads are still "
        "right.");
    return;
  }
  out_.detail(fmt::format("timelines and counters are up to date after {} us",
                          (clock().steady_ns() - start) / 1000));
}

}  // namespace chirp::cli
