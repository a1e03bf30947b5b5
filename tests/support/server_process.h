// The program under test as a server, on a port of the system's choosing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/http_client.h"

namespace chirp::test {

struct Question {
  std::string method = "GET";
  std::string path;
  std::string body = {};  // JSON, if there is one
  std::string token = {};
  std::vector<std::string> headers = {};  // `Name: value`
};

struct Told {
  int status = 0;  // 0: there is no server, or it went before the answer was whole
  std::string body;

  [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
  // The text or number of the first field of this name in the body, wherever it is; empty if there
  // is none.
  [[nodiscard]] std::string field(std::string_view name) const;
};

// Asks one thing at a time on one connection, and connects again when that has ended.
class Asker {
 public:
  explicit Asker(std::uint16_t port) : port_(port) {}
  Told ask(const Question& question);

 private:
  std::uint16_t port_;
  std::optional<HttpClient> connection_;
};

class ServerProcess {
 public:
  // Serves a data directory that is there; listens when this returns. Throws if it does not.
  explicit ServerProcess(const std::string& data, std::vector<std::string> options = {"--quiet"});

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }
  [[nodiscard]] Asker client() const { return Asker(port_); }
  void signal(int number) const { process_.signal(number); }
  // Sends the signal and waits for the end.
  Ended end(int signal);

 private:
  Background process_;
  std::uint16_t port_ = 0;
};

// A data directory with users of these names, cheap passwords and no limit to their requests; a
// token for each, in their order.
[[nodiscard]] std::vector<std::string> make_served_directory(const std::string& data,
                                                             const std::vector<std::string>& names);

}  // namespace chirp::test
