#include "tests/support/server_process.h"

#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace chirp::test {
namespace {

Command serve(const std::string& data, std::vector<std::string> options) {
  std::vector<std::string> arguments{"serve", "--port", "0"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return chirp_command(data, std::move(arguments));
}

std::string text_of(const Question& question) {
  std::string text =
      fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", question.method, question.path);
  if (!question.token.empty()) text += fmt::format("Authorization: Bearer {}\r\n", question.token);
  for (const std::string& header : question.headers) text += header + "\r\n";
  if (!question.body.empty()) text += "Content-Type: application/json\r\n";
  if (question.method != "GET") text += fmt::format("Content-Length: {}\r\n", question.body.size());
  return text + "\r\n" + question.body;
}

std::string run_or_throw(const std::string& data, std::vector<std::string> arguments) {
  const Ended ended = run(chirp_command(data, std::move(arguments)));
  if (!ended.ok()) throw std::runtime_error(to_string(ended));
  return ended.out;
}

}  // namespace

std::string Told::field(std::string_view name) const {
  const std::string start = fmt::format("\"{}\":", name);
  const auto at = body.find(start);
  if (at == std::string::npos) return {};
  auto from = at + start.size();
  const bool quoted = body[from] == '"';
  if (quoted) ++from;
  return body.substr(from, body.find_first_of(quoted ? "\"" : ",}]", from) - from);
}

Told Asker::ask(const Question& question) {
  try {
    if (!connection_) connection_.emplace(port_);
    if (connection_->send(text_of(question))) {
      const Reply reply = connection_->read();
      if (reply.status != 0 && reply.header("connection") != "close") {
        return {reply.status, reply.body};
      }
      connection_.reset();
      return {reply.status, reply.body};
    }
  } catch (const std::runtime_error&) {
    // The connection was lost, or could not be made.
  }
  connection_.reset();
  return {};
}

ServerProcess::ServerProcess(const std::string& data, std::vector<std::string> options)
    : process_(serve(data, std::move(options))) {
  const std::string line = process_.error_line();
  const auto colon = line.rfind(':');
  if (line.starts_with("Listening on http://") && colon != std::string::npos) {
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), port_);
  }
  if (port_ == 0) throw std::runtime_error("no server: " + line);
}

Ended ServerProcess::end(int signal) {
  process_.signal(signal);
  return process_.wait();
}

std::vector<std::string> make_served_directory(const std::string& data,
                                               const std::vector<std::string>& names) {
  run_or_throw(data, {"init"});
  run_or_throw(data, {"config", "set", "auth.bcrypt_cost", "4"});
  run_or_throw(data, {"config", "set", "http.rate_limit", "100000000"});
  run_or_throw(data, {"config", "set", "http.rate_limit_anonymous", "100000000"});
  std::vector<std::string> tokens;
  for (const std::string& name : names) {
    run_or_throw(data, {"user", "add", name});
    tokens.push_back(run_or_throw(data, {"user", "token", name}));
    tokens.back().pop_back();  // the line's end
  }
  return tokens;
}

}  // namespace chirp::test
