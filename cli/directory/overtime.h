// Ends the process if a query overruns its deadline inside an operation that cannot be stopped.
//
// SQLite checks the deadline only between operations, and one operation may take hours: a sort of
// all rows, a search in a long text. Until it ends, the query pins its snapshot. The process has
// nothing else to do, so it prints the rows found so far and ends.
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
  // Starts watching. Both arguments must outlive this.
  Overtime(Output& out, const query::QueryDeadline& deadline);
  // Stops watching.
  ~Overtime();
  Overtime(const Overtime&) = delete;
  Overtime& operator=(const Overtime&) = delete;

  // Runs a step that may overrun and prints nothing. If it overruns, `print_rest` is called on
  // another thread before the process ends.
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
      // After the deadline this blocks until the process ends.
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
  const query::QueryDeadline& deadline_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  const std::function<void()>* print_rest_ = nullptr;  // set during a step
  std::thread thread_;                                 // last member: it uses the others
};

}  // namespace chirp::cli
