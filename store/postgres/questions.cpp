#include "store/postgres/questions.h"

#include <utility>

namespace chirp::postgres {

std::vector<Result> answers_of(Connection& connection, std::span<const Asked> asked) {
  for (const Asked& one : asked) connection.send(one.sql, one.params);
  return connection.receive();
}

void Questions::ask() {
  while (!then_.empty()) {
    std::deque<Then> then;
    then.swap(then_);
    std::vector<Asked> asked;
    asked.swap(asked_);
    const auto results = answerer_(asked);
    for (std::size_t i = 0; i < then.size(); ++i) then[i](results[i]);
  }
}

}  // namespace chirp::postgres
