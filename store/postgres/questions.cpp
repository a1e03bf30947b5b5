#include "store/postgres/questions.h"

namespace chirp::postgres {

void Questions::ask() {
  while (!then_.empty()) {
    std::deque<Then> then;
    then.swap(then_);
    auto results = connection_.receive();
    for (std::size_t i = 0; i < then.size(); ++i) then[i](results[i]);
  }
}

}  // namespace chirp::postgres
