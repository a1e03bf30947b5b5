// What is fuzzed: one function a target, which takes any bytes, has the project's own code read
// them as what the target is named after, and checks what must hold of whatever was read.
//
// Each throws Broken where something does not hold; what it reads may refuse the bytes, but only in
// the way that it promises to. tests/fuzz/ has a file for each, testdata/fuzz/ a folder with small
// inputs for each: libFuzzer changes them (`make fuzz`), and the tests read them as they are.
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>

namespace chirp::fuzz {

using Bytes = std::string_view;

struct Broken : std::logic_error {
  using std::logic_error::logic_error;
};
// `rule` says what has to hold.
inline void holds(bool it, const char* rule) {
  if (!it) throw Broken(rule);
}

void archives(Bytes input);
void config(Bytes input);
void csv(Bytes input);
void cursors(Bytes input);
void edges(Bytes input);
void entities(Bytes input);
void exports(Bytes input);
void html(Bytes input);
void json(Bytes input);
void media(Bytes input);
void multipart(Bytes input);
void pages(Bytes input);
void queries(Bytes input);
void records(Bytes input);
void requests(Bytes input);

struct Target {
  std::string_view name;
  void (*run)(Bytes);
};
// All of them, in the order of their names.
[[nodiscard]] std::span<const Target> targets();

}  // namespace chirp::fuzz
