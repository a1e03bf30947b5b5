#include "tests/support/sent_statements.h"

#include <cstddef>
#include <utility>

namespace chirp::test {
namespace {

constexpr char kParse = 'P';
constexpr char kBind = 'B';
constexpr std::size_t kHead = 5;  // a letter and a length

// Removes the text up to the next zero byte, and that byte, and returns the text.
std::string take_text(std::string_view& bytes) {
  const std::size_t end = bytes.find('\0');
  std::string text(bytes.substr(0, end));
  bytes.remove_prefix(end + 1);
  return text;
}

std::size_t length_of(std::string_view part) {
  std::size_t length = 0;
  for (std::size_t i = 1; i < kHead; ++i) {
    length = length << 8U | static_cast<unsigned char>(part[i]);
  }
  return length;
}

}  // namespace

CutPlan SentStatements::plan() {
  return [this](const Message& message) {
    hear(message);
    return Cut{};
  };
}

std::vector<SentStatements::Transaction> SentStatements::transactions() const {
  const std::lock_guard guard(mutex_);
  auto all = done_;
  for (const auto& [number, session] : sessions_) {
    if (!session.open.empty()) all.push_back(session.open);
  }
  return all;
}

void SentStatements::hear(const Message& message) {
  const std::lock_guard guard(mutex_);
  std::string_view rest = message.bytes;
  const bool is_start = !sessions_.contains(message.connection);
  Session& session = sessions_[message.connection];
  if (is_start) return;  // it has no letter
  while (rest.size() >= kHead) {
    const std::size_t size = 1 + length_of(rest);
    std::string_view body = rest.substr(kHead, size - kHead);
    const char letter = rest.front();
    rest.remove_prefix(size);
    if (letter == kParse) {
      const std::string name = take_text(body);
      session.prepared[name] = take_text(body);
    } else if (letter == kBind) {
      (void)take_text(body);  // the portal
      run(session, session.prepared[take_text(body)]);
    }
  }
  if (!session.is_open) end(session);
}

void SentStatements::run(Session& session, const std::string& statement) {
  if (statement.starts_with("begin")) {
    session.is_open = true;
  } else if (statement == "commit" || statement == "rollback") {
    end(session);
  } else {
    session.open.push_back(statement);
  }
}

void SentStatements::end(Session& session) {
  session.is_open = false;
  if (!session.open.empty()) done_.push_back(std::exchange(session.open, {}));
}

bool writes_rows(std::string_view statement) {
  for (const std::string_view word : {"insert ", "update ", "delete "}) {
    if (statement.starts_with(word)) return true;
  }
  return statement.starts_with("with ") && statement.find(" as (update ") != std::string_view::npos;
}

}  // namespace chirp::test
