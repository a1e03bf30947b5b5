// Goal: posts that are kept as HTML are read as their authors wrote them, and HTML from anybody
// costs bounded time and memory and does nothing else.
// Method: a table of what Mastodon and others write; texts made to overwhelm parsers.
#include "cli/input/html.h"

#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace chirp::cli::input {
namespace {

std::string plain(std::string_view html, const HtmlContext& context = {}) {
  const HtmlText read = text_of_html(html, context);
  CHECK(read.problem == "");
  return read.text;
}

std::string times(std::size_t n, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("html: paragraphs and line breaks stay, marks go") {
  CHECK(plain("") == "");
  CHECK(plain("no marks at all") == "no marks at all");
  CHECK(plain("<p>One</p><p>Two<br>Three<br />Four</p>") == "One\n\nTwo\nThree\nFour");
  CHECK(plain("<p>One<br><br>Two</p>") == "One\n\nTwo");
  CHECK(plain("  <p>  a \n b\t<b>bold</b><i>er</i> c </p>\n<p></p> <p>d</p> ") ==
        "a b bolder c\n\nd");
  CHECK(plain("<p>never closed <em>at all") == "never closed at all");
  CHECK(plain("<h1>Title</h1><div>a</div><div>b</div>") == "Title\n\na\nb");
  CHECK(plain("<pre><code>if (a) {\n  b();\n}</code></pre><p>after</p>") ==
        "if (a) {\n  b();\n}\n\nafter");
}

TEST_CASE("html: lists and quotes are recognized by their lines") {
  CHECK(plain("<p>Buy</p><ul><li>milk</li><li>eggs</li></ul><p>now</p>") ==
        "Buy\n\n- milk\n- eggs\n\nnow");
  CHECK(plain("<ol><li><p>one</p></li><li>two<ul><li>half</li></ul></li></ol>") ==
        "1. one\n\n2. two\n  - half");
  CHECK(plain("<blockquote><p>They<br>said</p></blockquote><p>Mine</p>") ==
        "> They\n> said\n\nMine");
}

TEST_CASE("html: entities are read once") {
  CHECK(plain("<p>a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#x27; &hellip; &amp;amp;</p>") ==
        "a & b <c> \"d\" 'e' … &amp;");
  CHECK(plain("AT&T &nosuch; & x&#128512;é") == "AT&T &nosuch; & x😀é");
  CHECK(plain("&#0;&#xD800;&#1114112;a") == "a");
}

TEST_CASE("html: links are whole addresses") {
  // As Mastodon shortens them.
  CHECK(plain("<p>See <a href=\"https://example.org/a/long/path?x=1&amp;y=2\" rel=\"nofollow\">"
              "<span class=\"invisible\">https://</span><span class=\"ellipsis\">example.org/a/lo"
              "</span><span class=\"invisible\">ng/path?x=1&amp;y=2</span></a>!</p>") ==
        "See https://example.org/a/long/path?x=1&y=2!");
  CHECK(plain("<a href='https://example.org/'>example.org</a>") == "https://example.org/");
  CHECK(plain("<a href='https://www.example.org/abc'>example.org/a…</a>") ==
        "https://www.example.org/abc");
  CHECK(plain("<a href='https://example.org/x'> here </a>and <a href='https://e.org'></a>") ==
        "here (https://example.org/x) and https://e.org");
  CHECK(plain("<a href='https://example.org/x'>good.example</a>") ==
        "good.example (https://example.org/x)");
  CHECK(plain("<a href='https://example.org/a b\nc'>here</a>") ==
        "here (https://example.org/a%20b%0Ac)");
  for (const char* href : {"javascript:alert(1)", "mailto:a@b.c", "/here", "", "#top"}) {
    CAPTURE(href);
    CHECK(plain("<a href='" + std::string(href) + "'>words</a>") == "words");
  }
  CHECK(plain("<p><a href='https://a.org'>one<p>two") == "one (https://a.org)\n\ntwo");
}

TEST_CASE("html: mentions say of which server somebody is, hashtags are words") {
  const std::string local =
      "<span class=\"h-card\"><a href=\"https://home.example/@mira\" class=\"u-url mention\">@"
      "<span>mira</span></a></span>";
  const std::string far =
      "<a href=\"https://social.far.example/@tomas\" class=\"u-url "
      "mention\">@<span>tomas</span></a>";
  CHECK(
      plain("<p>" + local + " and " + far + " hi</p>", {.mentions = {}, .home = "home.example"}) ==
      "@mira and @tomas@social.far.example hi");
  CHECK(plain(local) == "@mira@home.example");
  // What is said beside goes before the host of the link.
  const std::array said{HtmlMention{"https://social.far.example/users/tomas", "@Tomas@far.example"},
                        HtmlMention{"https://home.example/users/mira", "@mira"},
                        HtmlMention{"https://other.example/users/tomas", "@tomas@other.example"}};
  CHECK(plain(far + " " + local, {.mentions = said, .home = "home.example"}) ==
        "@tomas@far.example @mira");
  CHECK(plain("<a href='https://x.example/@tomas' class='mention'>@tomas@y.example</a>") ==
        "@tomas@y.example");
  CHECK(plain("<a href=\"https://home.example/tags/birds\" class=\"mention hashtag\" rel=\"tag\">#"
              "<span>birds</span></a>") == "#birds");
  CHECK(plain("<a href='https://x.example/@eve'>@mira</a>") == "@mira (https://x.example/@eve)");
}

TEST_CASE("html: invisible elements have no text") {
  CHECK(plain("a<script>alert('x')</script><style>p{}</style><!-- c -->b") == "ab");
  CHECK(plain("<html><head><title>t</title></head><body onload=x()>b</body></html>") == "b");
  CHECK(plain("<p>hi <img src=x onerror=alert(1) alt=\":smile:\"> you</p>") == "hi :smile: you");
  // Nothing is fetched, and no entity of its own is believed.
  CHECK(plain("<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><p>&e;</p>").find("root") ==
        std::string::npos);
  CHECK(plain("<meta charset=\"iso-8859-1\"><p>é</p>") == "é");
  CHECK(plain(std::string("a\0b<p>\x01\x02 c</p>", 14)) == "ab\n\nc");
}

TEST_CASE("html: what is too large or too deep is refused, whatever is in it") {
  CHECK(text_of_html(times(kHtmlBytesMax, "x")).problem == "");
  CHECK(text_of_html(times(kHtmlBytesMax + 1, "x")).problem == "the HTML has more than 64 KiB");
  CHECK(plain(times(kHtmlDepthMax - 2, "<b>") + "x") == "x");  // html and body are around it
  CHECK(text_of_html(times(kHtmlDepthMax - 1, "<b>") + "x").problem ==
        "the HTML is nested deeper than 100 elements");
  for (const char* piece : {"<div>", "<blockquote>", "<ul><li>", "<a href=x>", "<table><tr><td>",
                            "<b><i></b></i>", "<", "</", "<!--", "<p", "&", "&#", "<a ", "<p a=\"",
                            "</x>", "<br>", "<li>", "<svg>", "<select><option>"}) {
    CAPTURE(piece);
    const std::string_view one = piece;
    const HtmlText read = text_of_html(times(kHtmlBytesMax / one.size(), one));
    CHECK(read.text.size() <= 16 * kHtmlBytesMax);
    CHECK((read.problem.empty() || read.text.empty()));
  }
}

TEST_CASE("html: an element of very many attributes is read in bounded time") {
  std::string html = "<p";
  for (std::size_t i = 0; html.size() + 16 < kHtmlBytesMax; ++i) html += " a" + std::to_string(i);
  CHECK(plain(html + ">x") == "x");
}

TEST_CASE("html: many mentions beside many links are looked through in bounds") {
  std::vector<HtmlMention> many(100'000, HtmlMention{"https://a.example/u", "@u@a.example"});
  many.front() = {"https://b.example/v", "@v@b.example"};
  const std::string link = "<a class=mention href=https://c.example/v>@v</a> ";
  const std::string text = plain(times(kHtmlBytesMax / link.size(), link), {.mentions = many});
  CHECK(text.starts_with("@v@b.example @v@b.example"));
}

}  // namespace chirp::cli::input
