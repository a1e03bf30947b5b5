// A program that runs beside a test and says on one of its outputs where it listens.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace chirp::test {

enum class Output : std::uint8_t { kOut, kError };

// Belongs to one thread. What the program says on the output that is watched is read to its end, so
// it never waits for a reader; the other output goes nowhere.
class WatchedChild {
 public:
  // `arguments` with the path of the program first. Throws if it can't be started.
  WatchedChild(std::vector<std::string> arguments, Output watched);
  ~WatchedChild();  // asks it to end, and ends what is left of it
  WatchedChild(const WatchedChild&) = delete;
  WatchedChild& operator=(const WatchedChild&) = delete;

  // The text after `words` in the first line that has them. Throws if none comes.
  std::string after(std::string_view words);
  // Asks it to end; its exit status, or -1 if it did not end by itself.
  int end();

 private:
  void read(int fd);

  pid_t pid_ = -1;
  std::mutex mutex_;
  std::condition_variable more_;
  std::string said_;
  bool ended_ = false;  // nothing more will be said
  std::thread reader_;
};

}  // namespace chirp::test
