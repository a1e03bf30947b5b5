// Goal: modules become one without losing what they need, whatever the order they are found in.
// Method: small modules as text; what is made of them is compared with what a person would write.
#include "server/web/bundle.h"

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace chirp::test::bundle_test {
namespace {

using Modules = std::map<std::string, std::string, std::less<>>;

std::string bundle(const Modules& modules) {
  return web::bundled("main.js", [&](std::string_view name) -> std::string_view {
    const auto found = modules.find(name);
    return found == modules.end() ? std::string_view{} : found->second;
  });
}

constexpr std::string_view kHead =
    "const $later = [];  // links between modules that need one another\n";

}  // namespace

TEST_CASE("bundle: a module comes once, after all that it needs, with its names kept apart") {
  const std::string made = bundle({
      {"main.js",
       "// Begins.\nimport { a, b as c } from './one.js';\n"
       "import * as two from './two.js';\n\ntwo.go(a, c);\n"},
      {"two.js", "import {\n  a,\n} from './one.js';\nexport async function go() {\n  a();\n}\n"},
      {"one.js", "export const a = () => 1;\nconst hidden = 2;\nexport class b {}\n"},
  });
  CHECK(made == std::string(kHead) +
                    "\n// ---- one.js\nconst $one = (() => {\nconst a = () => 1;\n"
                    "const hidden = 2;\nclass b {}\n\nreturn { a, b };\n})();\n"
                    "\n// ---- two.js\nconst $two = (() => {\nconst {\n  a,\n} = $one;\n"
                    "async function go() {\n  a();\n}\n\nreturn { go };\n})();\n"
                    "\nfor (const link of $later) link();\n"
                    "\n// ---- main.js\nconst $main = (() => {\n// Begins.\n"
                    "const { a, b: c } = $one;\nconst two = $two;\n\ntwo.go(a, c);\n"
                    "\nreturn {  };\n})();\n");
}

TEST_CASE("bundle: modules in a circle are linked before the first of all runs") {
  const std::string made = bundle({
      {"main.js", "import { a } from './one.js';\na();\n"},
      {"one.js", "import { b } from './two.js';\nexport function a() { b(); }\n"},
      {"two.js",
       "import { a as first, c, } from './one.js';\nimport * as one from './one.js';\n"
       "export function b() { first(one, c); }\n"},
  });
  CHECK(made.find("let first, c; $later.push(() => { ({ a: first, c, } = $one); });\n") !=
        std::string::npos);
  CHECK(made.find("let one; $later.push(() => { one = $one; });\n") != std::string::npos);
  CHECK(made.find("---- two.js") < made.find("---- one.js"));
  CHECK(made.find("---- one.js") < made.find("for (const link of $later)"));
  CHECK(made.find("for (const link of $later)") < made.find("---- main.js"));
}

TEST_CASE("bundle: what it does not read is refused and never left out") {
  CHECK_THROWS_AS(bundle({}), std::logic_error);
  CHECK_THROWS_AS(bundle({{"main.js", "import { a } from './none.js';\n"}}), std::logic_error);
  for (const char* const line :
       {"import './one.js';\n", "import a from './one.js';\n", "import { a } from 'one';\n",
        "export let a = 1;\n", "export { a };\n", "export * from './one.js';\n",
        "export default 1;\n", "export const { a } = b;\n"}) {
    CAPTURE(line);
    CHECK_THROWS_AS(bundle({{"main.js", line}, {"one.js", "const a = 1;\n"}}), std::logic_error);
  }
}

}  // namespace chirp::test::bundle_test
