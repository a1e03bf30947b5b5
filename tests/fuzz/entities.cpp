// Texts: what the grammar finds is inside the text, in order, and equals a naive second reading.
#include "core/model/entities.h"

#include <string>

#include "core/model/utf8.h"
#include "tests/fuzz/targets.h"
#include "tests/support/naive_entities.h"

namespace chirp::fuzz {

void entities(Bytes input) {
  constexpr std::size_t kLongest = 2000;  // bytes, since the naive reading takes its time
  if (input.size() > kLongest || !utf8::is_valid(input)) return;
  const std::string text = utf8::nfc(input);
  const std::vector<Entity> found = entities_in(text);
  holds(found == test::read_naively(text), "both readings find the same");
  std::size_t done = 0;
  for (const Entity& entity : found) {
    holds(entity.begin >= done && entity.end > entity.begin, "entities do not overlap");
    holds(!entity.value.empty() && utf8::is_valid(entity.value), "an entity has a value");
    done = entity.end;
  }
  holds(done <= text.size(), "entities lie in the text");
}

}  // namespace chirp::fuzz
