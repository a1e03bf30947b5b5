// A stage on the program itself: `chirp serve` on a data directory of its own, asked over sockets.
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/api_stage.h"
#include "tests/support/child.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

std::string served_directory(const TempFolder& folder, Setting setting) {
  const std::string data = (folder / "data").string();
  std::vector<std::vector<std::string>> commands{{"init"}, {"user", "add", "keeper"}};
  for (const settings::SettingChange& change : changes_for(setting)) {
    commands.push_back({"config", "set", change.key, change.text});
  }
  for (const auto& arguments : commands) {
    const Ended ended = run(chirp_command(data, arguments));
    if (!ended.ok()) throw std::runtime_error(to_string(ended));
  }
  return data;
}

std::vector<std::string> options_for(Setting setting) {
  if (setting == Setting::kNoDemo) return {"--quiet"};
  if (setting == Setting::kDemoForOne) return {"--quiet", "--demo", "--demo-for", "keeper"};
  return {"--quiet", "--demo"};
}

std::string bytes_of(const Ask& ask) {
  std::string head = fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\n", ask.method, ask.target);
  if (!ask.token.empty()) head += fmt::format("Authorization: Bearer {}\r\n", ask.token);
  if (!ask.body.empty()) head += fmt::format("Content-Type: {}\r\n", ask.type);
  if (!ask.body.empty() || ask.method != "GET") {
    head += fmt::format("Content-Length: {}\r\n", ask.body.size());
  }
  for (const auto& [name, value] : ask.headers) head += fmt::format("{}: {}\r\n", name, value);
  return head + "\r\n" + ask.body;
}

class Served final : public ApiStage {
 public:
  explicit Served(Setting setting)
      : server_(served_directory(folder_, setting), options_for(setting)) {}

  [[nodiscard]] PlainAnswer ask(const Ask& ask) override {
    HttpClient client(server_.port());
    (void)client.send(bytes_of(ask));
    const Reply head = client.read_head();
    PlainAnswer answer;
    answer.status = head.status;
    for (const auto& [name, value] : head.headers) answer.headers.emplace_back(name, value);
    const auto length = answer.header("content-length");
    if (length) {
      answer.body = client.read_bytes(std::stoul(*length));
    } else if (ask.events > 0 || ask.until_place) {
      answer.body = events(client, ask.events);
    }
    return answer;
  }

 private:
  // Each ends with an empty line; those without data are none.
  static std::string events(HttpClient& client, std::size_t wanted) {
    std::string text;
    std::size_t count = 0;
    do {
      std::string block;
      while (!block.ends_with("\n\n")) {
        const std::string byte = client.read_bytes(1);
        if (byte.empty()) return text + block;
        block += byte;
      }
      if (block.find("\ndata: ") != std::string::npos) ++count;
      text += block;
    } while (count < wanted);
    return text;
  }

  TempFolder folder_;
  ServerProcess server_;
};

}  // namespace

std::unique_ptr<ApiStage> stage_over_sockets(Setting setting) {
  if (setting == Setting::kUnwell) return nullptr;
  return std::make_unique<Served>(setting);
}

}  // namespace chirp::test
