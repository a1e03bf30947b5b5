// The bytes of an answer on their way into a socket: what is in memory, and what is read from a
// source piece by piece as the client takes it. For one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/exchange.h"

namespace chirp::http {

// Sends what the socket takes at once, and says how much; nothing if the client is gone.
[[nodiscard]] std::optional<std::size_t> send_some(int socket, std::string_view bytes) noexcept;

class Outgoing {
 public:
  Outgoing() = default;
  explicit Outgoing(std::string bytes) : bytes_(std::move(bytes)) {}
  // The head of an answer, and what follows it. Throws what the source throws.
  Outgoing(std::string head, const Response& response);

  enum class Progress : std::uint8_t {
    kDone,
    kMoved,  // some was taken, and perhaps more is
    kFull,   // the socket takes nothing more for now; perhaps some was taken
    kGone,   // the client is, or what was to be sent
  };
  // Sends some. `sent` is raised by the number of bytes that were taken.
  Progress send(int socket, std::size_t& sent) noexcept;

  // In memory until it is sent: never more than a piece of a source, and the head.
  [[nodiscard]] std::size_t held_bytes() const;
  // Whether a file is kept open for it.
  [[nodiscard]] bool holds_file() const { return left_ > 0; }
  // The rest that is in memory, taken out.
  [[nodiscard]] std::string take_rest();

 private:
  [[nodiscard]] std::size_t next_piece() const;
  void refill();

  std::string bytes_;
  std::size_t sent_ = 0;   // of them
  bool is_piece_ = false;  // all of `bytes_` is of the source
  std::shared_ptr<const Source> source_;
  std::uint64_t at_ = 0;
  std::uint64_t left_ = 0;
};

}  // namespace chirp::http
