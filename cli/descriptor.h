// Owns a file descriptor and closes it at the end of its scope. One thread at a time.
#pragma once

#include <unistd.h>
#include <utility>

namespace chirp::cli {

class Descriptor {
 public:
  Descriptor() = default;
  // Takes the result of a system call; a negative value means no descriptor.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int get() const { return fd_; }
  void close() {
    if (is_open()) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

}  // namespace chirp::cli
