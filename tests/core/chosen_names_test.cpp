// Goal: nobody takes a name that speaks for the server, or one that shows as another; nobody's own
// name is refused for it.
// Method: names of both kinds, and passwords that lists of leaks begin with.
#include "core/model/chosen_names.h"

#include <string>

#include <doctest/doctest.h>

#include "core/model/common_passwords.h"
#include "core/model/names.h"
#include "tests/support/thrown.h"

namespace chirp::test::chosen_names_test {
namespace {

std::string blamed_display_name(const std::string& name) {
  return blamed_by([&] { (void)checked_chosen_display_name(name); });
}

}  // namespace

TEST_CASE("chosen names: what looks like staff is refused, however it is written") {
  for (const char* name : {"admin",
                           "ADMIN",
                           "Administrator",
                           "adm1n",
                           "admln",
                           "a_d_m_i_n",
                           "admin1",
                           "admin_2024",
                           "_root_",
                           "r00t",
                           "chirp",
                           "Ch1rp",
                           "chirp_support",
                           "chirpteam",
                           "team_chirp",
                           "staff",
                           "the_real_admin",
                           "supp0rt",
                           "support_team",
                           "moderator",
                           "rnoderator",
                           "m0d",
                           "mods",
                           "webmaster",
                           "postmaster",
                           "security",
                           "system",
                           "sys_admin",
                           "official",
                           "me",
                           "null",
                           "everyone",
                           "helpdesk",
                           "supportbot",
                           "help",
                           "Help_Center",
                           "api",
                           "admiin",
                           "aaddmmiinn",
                           "modd",
                           "suppport",
                           "stafff",
                           "rooot",
                           "modsstaff",
                           "hheellp_1",
                           "administrators",
                           "operators",
                           "owners_1",
                           "webmasters",
                           "0wner5",
                           "helpdesks_team"}) {
    CAPTURE(name);
    CHECK(looks_official(name));
    CHECK(blamed_by([&] { check_chosen_username(name); }) == "username");
    CHECK(is_username(name));
  }
}

TEST_CASE("chosen names: names that only begin or sound like that are anybody's") {
  for (const char* name :
       {"mira", "modest",     "adminton", "rooter",    "theme",     "helper",     "team",
        "bot",  "user",       "user_1",   "ownership", "stafford",  "chirpy",     "mod_est",
        "rot",  "info",       "real",     "the",       "modena",    "systematic", "123",
        "_",    "supporting", "offic",    "nullius",   "person_12", "u1234567",   "mee",
        "todd", "apia",       "helpful",  "modde"}) {
    CAPTURE(name);
    CHECK_FALSE(looks_official(name));
    CHECK(blamed_by([&] { check_chosen_username(name); }) == "none");
  }
  CHECK(blamed_by([&] { check_chosen_username("not a name"); }) == "username");
}

TEST_CASE("chosen names: no display name of a stranger speaks for the server") {
  for (const char* name : {"Admin",
                           "ADMIN",
                           "Support",
                           "Chirp Support",
                           "The Chirp Team",
                           "✅ Admin ✅",
                           "[Moderator]",
                           "Admin 2",
                           "Ádmin",
                           "Ａｄｍｉｎ",
                           "𝐀𝐝𝐦𝐢𝐧",
                           "Аdmin",
                           "ΑDΜΙΝ",
                           "ѕuрроrt",
                           "Admın",
                           "ᴀᴅᴍɪɴ",
                           "@dmin",
                           "$upport",
                           "S u p p o r t",
                           "Suppoort",
                           "Chirp — Help Desk",
                           "a\u0301dmin",
                           "Official",
                           "administrators",
                           "The Moderators",
                           "\u03f2hirp",
                           "\u03f9hirp",
                           "\ua4da\ua4e7\ua4f2\ua4e3\ua4d1",  // Lisu letters
                           "\ua4e2\ua4f4\ua4d1\ua4d1\ua4f3\ua4e3\ua4d4",
                           "\u13df\u13bb\u0131r\u13e2",  // Cherokee
                           "\u017fupport",
                           "\u24d0dmin"}) {
    CAPTURE(name);
    CHECK(blamed_by([&] { check_strangers_display_name(name); }) == "displayName");
  }
  for (const char* name :
       {"Mira Okafor", "Anonymous", "Me", "Модест", "Админка Петрова", "Admin 漢字", "Ada Minton",
        "Rooter", "The Team", "\ua4d0\ua4f2\ua4e3", "\u03c3\u03bf\u03c6\u03af\u03b1", "❤", "漢字",
        "محمد", "Modesty", "Adminton", "123", "Todd"}) {
    CAPTURE(name);
    CHECK(blamed_by([&] { check_strangers_display_name(name); }) == "none");
  }
}

TEST_CASE("chosen names: nothing in a bio turns the text around it") {
  for (const char* turn :
       {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    CAPTURE(turn);
    CHECK(blamed_by([&] { (void)checked_chosen_bio(std::string("up") + turn + "side"); }) == "bio");
  }
  for (const char* bio :
       {"", "Up before\nthe slugs.", "שלום\u200f!", "👩\u200d🚀", "می\u200cخواهم"}) {
    CAPTURE(bio);
    CHECK(checked_chosen_bio(bio) == checked_bio(bio));
  }
}

TEST_CASE("chosen names: what can't be seen in a display name is refused") {
  for (const char* hidden :
       {"\u202e", "\u202a", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c", "\u200b", "\u2060",
        "\ufeff", "\u00ad", "\u3164", "\u2800", "\u2028", "\U000e0041", "\u200d", "\u200c"}) {
    CAPTURE(hidden);
    CHECK(blamed_display_name(std::string("mi") + hidden + "ra") == "displayName");
    CHECK(blamed_display_name(std::string(hidden) + "mira") == "displayName");
  }
  CHECK(blamed_display_name(" \t") == "displayName");
  CHECK(blamed_display_name(std::string(51, 'x')) == "displayName");
}

TEST_CASE("chosen names: what holds emoji and scripts together stays") {
  for (const char* name :
       {"Mira Okafor", "Zoë", "محمد", "می\u200cخواهم", "क्\u200dष", "👩\u200d🚀 Ada", "❤\ufe0f Mira",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "1\ufe0f\u20e3",
        "漢字\u3000漢", "a\u00a0b", "שלום", "O'Neil-Łukasz"}) {
    CAPTURE(name);
    CHECK(checked_chosen_display_name(name) == checked_display_name(name));
  }
}

TEST_CASE("chosen names: the passwords that everybody tries are known in any case") {
  for (const char* password : {"password",
                               "PASSWORD",
                               "Password1",
                               "12345678",
                               "123456789",
                               "qwertyuiop",
                               "iloveyou",
                               "1q2w3e4r",
                               "letmein123",
                               "P@ssw0rd",
                               "correcthorsebatterystaple",
                               "aaaaaaaa",
                               "????????",
                               "zzzzzzzzzzzzzzzzzzzz",
                               "zaq12wsx",
                               "password ",
                               " password",
                               "\tpassword\n",
                               "\u00a0password\u3000",
                               "ｐａｓｓｗｏｒｄ",
                               "pass\u200bword",
                               "pass\u00adword",
                               "\ufeffpassword",
                               "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝",
                               "paßword",
                               "\u202epassword\u202c",
                               "ａａａａａａａａ",
                               "        ",
                               "\u200b\u200b\u200b"}) {
    CAPTURE(password);
    CHECK(is_common_password(password));
    CHECK(blamed_by([&] { (void)checked_password(password); }) == "password");
  }
  for (const char* password :
       {"seven wet geese", "password of mira", "aaaaaaab", "x7Gq!p2L", "passwordpassword1",
        "漢漢漢漢漢", "my password is", "\xff\xffpassword"}) {
    CAPTURE(password);
    CHECK_FALSE(is_common_password(password));
  }
}

TEST_CASE("chosen names: a password is kept normalised, and fits typed and kept") {
  CHECK(checked_password("Zoe\xcc\x88 is seven") == "Zoë is seven");
  CHECK(checked_password("seven wet geese") == "seven wet geese");
  CHECK(password_form("\xff\xfe") == "\xff\xfe");
  CHECK(password_form(std::string(73, 'e') + "\xcc\x88") == std::string(73, 'e') + "\xcc\x88");
  // Normalised, 24 of these letters of three bytes are of six each.
  std::string grows;
  for (int i = 0; i < 24; ++i) grows += "\u0958";
  CHECK(grows.size() == 72);
  CHECK(blamed_by([&] { (void)checked_password(grows); }) == "password");
}

TEST_CASE("chosen names: a word gives a display name, and an account not its domain") {
  CHECK(display_name_of("AC/DC") == "AC/DC");
  CHECK(display_name_of("misssaladfingers") == "misssaladfingers");
  CHECK(display_name_of("Congenital Anomalies") == "Congenital Anomalies");
  CHECK(display_name_of("anna.maria@example.org") == "anna.maria");
  CHECK(display_name_of("@mira@example.org") == "mira");
  CHECK(display_name_of("anna.maria@example.org/Work") == "anna.maria");
  for (const char* word :
       {"https://example.org/@mira", "postgres://bob:hunter2@db/prod", "host.org/reset?token=abc",
        "mailto://a@b.c", "anna%40example.org", "anna[at]example.org",
        "anna\uFF20"
        "example.org"}) {
    CAPTURE(word);
    CHECK_FALSE(display_name_of(word));
  }
  CHECK(display_name_of("a\u202Eb") == "ab");
  CHECK_FALSE(display_name_of("a\nb"));
  CHECK_FALSE(display_name_of(std::string(200, 'x')));
}

}  // namespace chirp::test::chosen_names_test
