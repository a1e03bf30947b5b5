#include "tests/support/stream_reader.h"

#include <condition_variable>
#include <mutex>
#include <string_view>

#include "tests/support/eventually.h"

namespace chirp::test {
namespace {

class Reader final : public http::Outlet {
 public:
  bool send(std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    if (gone_) return false;
    sent_ += bytes;
    changed_.notify_all();
    return true;
  }
  void close() override {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    changed_.notify_all();
  }
  void cut() override { close(); }
  [[nodiscard]] Flow flow() const override {
    const std::lock_guard lock(mutex_);
    return gone_ ? Flow::kGone : Flow::kDrained;
  }

  std::string wait(std::size_t events) {
    std::unique_lock lock(mutex_);
    (void)eventually(changed_, lock,
                     [&] { return gone_ || (has_place() && whole_events() >= events); });
    gone_ = true;
    return sent_;
  }

 private:
  // A stream begins with a block that gives its position.
  [[nodiscard]] bool has_place() const { return sent_.find("\n\n") != std::string::npos; }
  [[nodiscard]] std::size_t whole_events() const {
    std::size_t count = 0;
    for (std::size_t at = sent_.find("\ndata: "); at != std::string::npos;
         at = sent_.find("\ndata: ", at + 1)) {
      if (sent_.find("\n\n", at) != std::string::npos) ++count;
    }
    return count;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string sent_;
  bool gone_ = false;
};

}  // namespace

std::string read_events(const std::function<void(std::shared_ptr<http::Outlet>)>& stream,
                        std::size_t events) {
  const auto reader = std::make_shared<Reader>();
  stream(reader);
  return reader->wait(events);
}

}  // namespace chirp::test
