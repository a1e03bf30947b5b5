// The program under test as a server, on a free port.
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
  std::string body = {};  // JSON, or empty
  std::string token = {};
  std::vector<std::string> headers = {};  // `Name: value`
};

struct Told {
  int status = 0;  // 0: no server, or it ended during the answer
  std::string body;

  [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
  // The text or number of the first field with this name anywhere in the body; empty if there is
  // none.
  [[nodiscard]] std::string field(std::string_view name) const;
};

// Sends one request at a time on one connection, and reconnects when that has ended.
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
  // Serves an existing data directory; listens on return. Throws on failure.
  explicit ServerProcess(const std::string& data, std::vector<std::string> options = {"--quiet"});

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }
  [[nodiscard]] Asker client() const { return Asker(port_); }
  void signal(int number) const { process_.signal(number); }
  // Sends the signal and waits for the process to end.
  Ended end(int signal);

 private:
  Background process_;
  std::uint16_t port_ = 0;
};

// Makes a data directory with these users, cheap password hashes and no rate limits. Returns a
// token for each user, in order.
[[nodiscard]] std::vector<std::string> make_served_directory(const std::string& data,
                                                             const std::vector<std::string>& names);

}  // namespace chirp::test
