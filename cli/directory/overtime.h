// Ends the process when a query goes on past its time where nothing looks at the clock.
//
// SQLite looks between operations, and one operation may take hours: a sort of all rows, a search
// in a long text. Nothing can stop it in there, and what the query reads stays pinned meanwhile.
// The process does nothing else, so it ends, once what was found by then is printed.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "cli/output.h"
#include "store/query/deadline.h"

namespace chirp::cli {

class Overtime {
 public:
  // Watches from now on. Both must outlive it.
  Overtime(Output& out, const query::Deadline& deadline);
  // Nothing is watched any more.
  ~Overtime();
  Overtime(const Overtime&) = delete;
  Overtime& operator=(const Overtime&) = delete;

  // Does what may take too long, and prints nothing. If it does, `print_rest` is called, from
  // another thread, before the process ends.
  template <class Step>
  auto during(const std::function<void()>& print_rest, const Step& step) {
    const InStep within(*this, print_rest);
    return step();
  }

 private:
  class InStep {
   public:
    InStep(Overtime& overtime, const std::function<void()>& print_rest) : overtime_(overtime) {
      const std::lock_guard lock(overtime_.mutex_);
      overtime_.print_rest_ = &print_rest;
    }
    ~InStep() {
      // Past its time this waits until the process has ended.
      const std::lock_guard lock(overtime_.mutex_);
      overtime_.print_rest_ = nullptr;
    }
    InStep(const InStep&) = delete;
    InStep& operator=(const InStep&) = delete;

   private:
    Overtime& overtime_;
  };

  void watch();
  [[noreturn]] void end();

  Output& out_;
  const query::Deadline& deadline_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  const std::function<void()>* print_rest_ = nullptr;  // within a step
  std::thread thread_;                                 // last: it uses what stands above
};

}  // namespace chirp::cli
