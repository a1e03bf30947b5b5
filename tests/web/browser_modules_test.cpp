// Goal: the modules that read what the server sends read it right, however it is cut.
// Method: the modules are loaded in the browser as the page loads them, and called with texts.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/web/site.h"

namespace chirp::test {
namespace {

// A browser that has the page's modules at hand.
class Modules {
 public:
  Modules() : browser_(800, 600) {
    site_.serve();
    browser_.open(site_.url() + "/");
  }
  std::string text(std::string_view module, std::string_view script) {
    return browser_.text(fmt::format(
        "(async () => {{ const module = await import('/app/{}'); {} }})()", module, script));
  }

 private:
  Site site_;
  Browser browser_;
};

}  // namespace

TEST_CASE("browser: events are read alike wherever the bytes are cut") {
  if (no_browser()) return;
  Modules modules;
  const std::string result = modules.text("sse.js", R"js(
    const wire = 'id: 4\nevent: post\ndata: {"a":\ndata: "é"}\n\n: heartbeat\n\nid: 8\n\r\n'
      + 'event: counts\r\ndata:{"b":1}\r\n\r\ndata: last\rretry: 5\r\r';
    const whole = (pieces) => {
      const seen = [];
      const parser = new module.EventParser(({ event, data }) => seen.push(`${event} ${data}`), (id) => seen.push(`#${id}`));
      for (const piece of pieces) parser.take(piece);
      return seen.join(' | ');
    };
    const expected = 'post {"a":\n"é"} | #4 | #8 | counts {"b":1} | message last';
    const results = new Set();
    for (let a = 0; a <= wire.length; ++a) {
      for (let b = a; b <= wire.length; b += 7) {
        results.add(whole([wire.slice(0, a), wire.slice(a, b), wire.slice(b), '\n']));
      }
    }
    return results.size === 1 && results.has(expected) ? 'alike' : JSON.stringify([...results]);
  )js");
  CHECK(result == "alike");
}

TEST_CASE("browser: measurements are read with their labels, and missing ones are no trouble") {
  if (no_browser()) return;
  Modules modules;
  const std::string result = modules.text("metrics.js", R"js(
    const { Metrics, histogramBetween, quantile, rate } = module;
    const text = (n) => `# HELP a b
# TYPE a counter
a_total ${n}
a_total{who="x\\"y\\\\z",b="1"} 2
h_bucket{op="get",le="0.001"} ${n}
h_bucket{op="get",le="0.002"} ${n * 2}
h_bucket{op="get",le="+Inf"} ${n * 2}
h_bucket{op="put",le="+Inf"} 7
bad line here
nan_value NaN
`;
    const one = new Metrics(text(10), 1);
    const two = new Metrics(text(30), 3);
    return JSON.stringify([one.sum('a_total'), one.of('a_total', { b: '1' })[0].labels.who, one.sum('none'),
      one.has('none'), Object.keys(one.by('none', 'x')).length, one.histogram('none').length,
      rate(one, two, 'a_total'), rate(one, two, 'none') ?? null, rate(two, one, 'a_total') ?? null,
      histogramBetween(one, two, 'h', { op: 'get' }).map((bucket) => bucket.count),
      quantile(two.histogram('h', { op: 'get' }), 0.75), quantile([], 0.5) ?? null]);
  )js");
  CHECK(result == R"([12,"x\"y\\z",null,false,0,0,10,null,null,[20,20,0],0.0015,null])");
}

TEST_CASE("browser: a quantile that so few requests can't tell is not shown") {
  if (no_browser()) return;
  Modules modules;
  CHECK(modules.text("metrics.js", R"js(
    const buckets = (first, last) => [{ upTo: 1, count: first }, { upTo: 2, count: 0 }, { upTo: Infinity, count: last }];
    return [[1, 0, 0.5], [2, 0, 0.5], [99, 0, 0.99], [100, 0, 0.99], [1, 99, 0.5]]
      .map(([first, last, share]) => module.quantile(buckets(first, last), share) ?? 'none').join(' ');
  )js") == "none 0.5 none 0.99 Infinity");
}

TEST_CASE("browser: a tier is shown by the policy in force") {
  if (no_browser()) return;
  Modules modules;
  CHECK(modules.text("policy.js", R"js(
    return ['push', 'pull', 'hybrid', 'cost'].map((policy) =>
      module.TIERS.map((tier) => module.tierWords(policy, tier).split(' ')[0]).join('/')).join(' ');
  )js") == "pushed/pushed/pushed not/not/not pushed/pushed/not pushed/pushed/pushed");
}

TEST_CASE("browser: characters are counted as the server counts them, after normalisation") {
  if (no_browser()) return;
  Modules modules;
  CHECK(modules.text("format.js", R"js(
    return ['', 'abc', 'e\u0301', '👩‍👩‍👧', '한', '\u1112\u1161\u11ab', '🎈🎈']
      .map(module.lengthOf).join(' ');
  )js") == "0 3 1 1 1 1 2");
  // The same texts as in tests/core/emoji_test.cpp, and what is counted there.
  CHECK(modules.text("format.js", R"js(
    const [family, kiss] = ['\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
      '\u{1f469}\u{1f3fb}\u200d\u2764\ufe0f\u200d\u{1f48b}\u200d\u{1f469}\u{1f3ff}'];
    return ['\u{1f388}\u{1f388}', '\u2744\ufe0f', '\u{1f44d}\u{1f3fd}!', family, kiss,
        '\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7}', '\u{1f1e9}\u{1f1ea}\u{1f1eb}', '1\ufe0f\u20e3#\u20e3 12', '1\ufe0f2',
        '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '\u200d\u200d', 'a\u200d\u{1f467}',
        '\u{1f469}\u200da', '\u{1f3fb}', '\u00a9\ufe0f\u2122', '\u{1f469}' + '\ufe0f'.repeat(19)]
      .map(module.lengthOf).join(' ');
  )js") == "2 1 2 1 1 2 2 5 3 1 2 3 3 1 2 11");
  CHECK(modules.text("format.js", R"js(
    return [['9', '10'], ['10', '9'], ['9223372036854775807', '9223372036854775806'], ['5', '5']]
      .map(([a, b]) => module.isNewer(a, b)).join(' ');
  )js") == "false true true false");
}

TEST_CASE("browser: only addresses of the web and of uploads are ever linked or loaded") {
  if (no_browser()) return;
  Modules modules;
  CHECK(modules.text("addresses.js", R"js(
    return ['/media/123', '/media/../v1/feed', '/media/12345678901234567890', '//evil.example/x',
            'https://example.org/a.png', 'HTTP://example.org', 'javascript:alert(1)', ' javascript:x',
            'data:image/png;base64,AA', 'blob:x', 'file:///etc/passwd', 'media/1', '',
            'https://bank.example@evil.example/', 'https://:x@evil.example']
      .map((address) => (module.mediaAddress(address) === null ? 'no' : 'yes')).join(' ');
  )js") == "yes no no no yes yes no no no no no no no no no");
}

}  // namespace chirp::test
