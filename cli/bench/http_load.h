// A client with kept-alive connections that sends each request when the last one is answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/figure.h"
#include "cli/descriptor.h"

namespace chirp::cli::bench {

struct HttpLoad {
  std::uint16_t port = 0;  // on 127.0.0.1
  std::size_t connections = 1;
  std::span<const std::string> requests;  // complete requests, sent in turn
  double seconds = 1;
};

// Fills in operations, seconds, percentiles and the maximum. Throws Error{kInternal} for a missing
// answer or one other than 2xx.
void measure(Figure& figure, const HttpLoad& load);

// Returns the body of the answer to one request. Throws likewise.
[[nodiscard]] std::string fetch(std::uint16_t port, const std::string& request);

// Returns the value of a metric in the text of the metrics; 0 if it is missing.
[[nodiscard]] double metric(const std::string& metrics, std::string_view name);

// Connections that send one request each and then stay idle while it lives.
class IdleConnections {
 public:
  IdleConnections(std::uint16_t port, std::size_t connections,
                  std::span<const std::string> requests);

 private:
  std::vector<Descriptor> sockets_;
};

}  // namespace chirp::cli::bench
