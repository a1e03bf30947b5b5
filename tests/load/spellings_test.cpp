// Goal: an account `user@domain` is one user in any spelling, and other words are compared whole.
// Method: spellings of words and accounts; loads over a model of the stores, one of which holds a
// user under another spelling, as older versions stored them.
#include <doctest/doctest.h>

#include "cli/input/ids.h"
#include "core/load/graph_loader.h"
#include "core/load/words.h"
#include "core/model/account_address.h"
#include "core/ports/reads.h"
#include "store/domain_names.h"
#include "tests/support/load_world.h"

namespace chirp::load::spellings_test {
namespace {

struct WithDomains {
  WithDomains() { set_spell_domain(store::domain_in_unicode); }
  ~WithDomains() { set_spell_domain(nullptr); }
  WithDomains(const WithDomains&) = delete;
  WithDomains& operator=(const WithDomains&) = delete;
};

std::vector<std::string> words_in(const test::LoadWorld& world) {
  std::vector<std::string> words;
  for (const AuthorCard& card :
       reads::rows_above<tables::Cards>(*world.storage.snapshot(), {kNobody}, 99)) {
    words.push_back(text_of(*card.source));
  }
  return words;
}

void load_edge(test::LoadWorld& world, std::string_view from, std::string_view to, bool as_older) {
  GraphLoader loader(world.storage, world.directory, world.clock, world.pause());
  const auto id = [&](std::string_view word) {
    return as_older ? loader.words().id_of(word) : loader.words().user_id_of(word);
  };
  const SourceEdge edge{id(from), id(to)};
  loader.add({&edge, 1});
  loader.finish();
}

}  // namespace

TEST_CASE("spellings: an account in small letters, with its domain in Unicode") {
  const WithDomains domains;
  for (const auto& [word, address] :
       {std::pair("mira@example.org", "mira@example.org"),
        std::pair("Mira@Example.ORG", "mira@example.org"),
        std::pair("oskar@xn--bcher-kva.example", "oskar@b\u00FCcher.example"),
        std::pair("Oskar@XN--Bcher-KVA.example", "oskar@b\u00FCcher.example"),
        std::pair("oskar@B\u00DCCHER.example", "oskar@b\u00FCcher.example"),
        std::pair("oskar@bu\u0308cher.example", "oskar@b\u00FCcher.example"),
        std::pair("a@xn--a.example", "a@xn--a.example")}) {
    CAPTURE(word);
    CHECK(account_address(word) == address);
    CHECK(account_address(address) == address);
  }
  for (const char* other :
       {"", "@", "Alice", "A@B", "@Mira@Example.org", "A@B@C.de", "A B@C.de", "A@.de", "A@de.",
        "https://Example.org/@Mira@B.de", "acct:Mira@Example.org", "Mira@"}) {
    CAPTURE(other);
    CHECK(account_address(other) == other);
  }
}

TEST_CASE("spellings: without tables a domain is put in small letters") {
  CHECK(account_address("Oskar@XN--Bcher-KVA.example") == "oskar@xn--bcher-kva.example");
}

TEST_CASE("spellings: users fold, posts do not") {
  Words words;
  cli::input::IdCells ids(&words, cli::input::IdKind::kWords);
  CHECK(ids.user("Mira@Example.org") == ids.user("mira@example.ORG"));
  CHECK(ids.any("Mira@Example.org") == ids.user("mira@example.org"));
  CHECK(ids.post("Mira@Example.org") != ids.post("mira@example.org"));
  CHECK(ids.user("Alice") != ids.user("alice"));
  CHECK(words.spellings_of(*ids.user("mira@example.org")).size() == 2);
  CHECK(words.spellings_of(*ids.user("Alice")).empty());
}

TEST_CASE("spellings: a load finds a user who was stored in another spelling") {
  test::LoadWorld world;
  load_edge(world, "Mira@Example.org", "Tomas@Far.example", true);
  load_edge(world, "Mira@Example.org", "tomas@far.example", false);
  CHECK(words_in(world) ==
        std::vector<std::string>{"Mira@Example.org", "Tomas@Far.example", "tomas@far.example"});
  load_edge(world, "NEW@Example.org", "new@example.ORG", false);
  CHECK(words_in(world).size() == 3);
  load_edge(world, "NEW@Example.org", "Mira@Example.org", false);
  load_edge(world, "new@example.org", "Mira@Example.org", false);
  CHECK(words_in(world).size() == 4);
  CHECK(words_in(world).back() == "new@example.org");
}

}  // namespace chirp::load::spellings_test
