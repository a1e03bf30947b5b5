// A client that asks as fast as it is answered, over connections that are kept, and takes the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/descriptor.h"

namespace chirp::cli::bench {

struct HttpLoad {
  std::uint16_t port = 0;  // of 127.0.0.1
  std::size_t connections = 1;
  std::span<const std::string> requests;  // whole ones, sent in turn
  double seconds = 1;
};

// Fills in operations, seconds, percentiles and the longest. Throws Error{kInternal} for an answer
// other than 2xx, or none.
void measure(Figure& figure, const HttpLoad& load);

// The body of the answer to one request. Throws likewise.
[[nodiscard]] std::string fetch(std::uint16_t port, const std::string& request);

// Connections that send one request each and then do nothing, while it lives.
class IdleConnections {
 public:
  IdleConnections(std::uint16_t port, std::size_t connections,
                  std::span<const std::string> requests);

 private:
  std::vector<Descriptor> sockets_;
};

}  // namespace chirp::cli::bench
