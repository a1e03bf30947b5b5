#include "core/model/common_passwords.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "core/model/utf8.h"

namespace chirp {
namespace {

using namespace std::string_view_literals;

// In lower case, sorted by bytes: the most frequent entries in lists of leaked passwords that have
// eight bytes and are valid. One literal per password, to keep the list readable.
constexpr std::initializer_list<std::string_view> kCommon{
    // clang-format off
    "!@#$%^&*"sv, "!@#$%^&*("sv, "!qaz2wsx"sv, "!qazxsw2"sv, "00000000"sv, "000000000"sv,
    "01010101"sv, "01234567"sv, "0123456789"sv, "0987654321"sv, "100100100"sv, "100200300"sv,
    "10101010"sv, "101112131"sv, "102030405"sv, "1020304050"sv, "11111111"sv, "111111111"sv,
    "11112222"sv, "111222333"sv, "111222333444"sv, "112112112"sv, "11221122"sv, "11223344"sv,
    "1122334455"sv, "112233445566"sv, "12121212"sv, "121314151"sv, "12312312"sv, "123123123"sv,
    "123123456"sv, "123321123"sv, "1234!@#$"sv, "12341234"sv, "123412345"sv, "12344321"sv,
    "1234512345"sv, "123454321"sv, "1234554321"sv, "123456123456"sv, "12345678"sv, "123456781"sv,
    "1234567812"sv, "123456789"sv, "1234567890"sv, "12345678901"sv, "123456789012"sv,
    "1234567891"sv, "12345678910"sv, "123456789a"sv, "123456789q"sv, "12345678a"sv, "12345678q"sv,
    "12345679"sv, "1234567a"sv, "1234567q"sv, "123456aa"sv, "123456ab"sv, "123456abc"sv,
    "123456qwerty"sv, "12345abc"sv, "12345qwert"sv, "1234abcd"sv, "1234qwer"sv, "123abc123"sv,
    "123qwe123"sv, "123qweasd"sv, "123qweasdzxc"sv, "13131313"sv, "1314520520"sv, "13579246"sv,
    "135792468"sv, "14725836"sv, "147258369"sv, "147852369"sv, "159357258"sv, "1a2b3c4d"sv,
    "1q2w3e4r"sv, "1q2w3e4r!"sv, "1q2w3e4r5t"sv, "1q2w3e4r5t6y"sv, "1qaz2wsx"sv, "1qaz2wsx3edc"sv,
    "1qazxsw2"sv, "21212121"sv, "22222222"sv, "23232323"sv, "23456789"sv, "24681357"sv,
    "27182818"sv, "31415926"sv, "321654987"sv, "34567890"sv, "456123789"sv, "5201314520"sv,
    "55555555"sv, "66666666"sv, "69696969"sv, "741852963"sv, "77777777"sv, "789456123"sv,
    "87654321"sv, "88888888"sv, "908070605"sv, "963258741"sv, "963852741"sv, "98765432"sv,
    "987654321"sv, "9876543210"sv, "987654321a"sv, "99999999"sv, "a1234567"sv, "a12345678"sv,
    "a123456789"sv, "a1b2c3d4"sv, "a1b2c3d4e5"sv, "a5201314"sv, "aa123456"sv, "aa12345678"sv,
    "ab123456"sv, "abc123!@#"sv, "abc12345"sv, "abc123456"sv, "abc123456789"sv, "abc@1234"sv,
    "abcd1234"sv, "abcd12345"sv, "abcd123456"sv, "abcd@1234"sv, "abcde123"sv, "abcdef12"sv,
    "abcdefgh"sv, "abcdefghi"sv, "abcdefghij"sv, "access123"sv, "access14"sv, "admin123"sv,
    "admin1234"sv, "admin12345"sv, "admin123456"sv, "admin2020"sv, "admin2021"sv, "admin2022"sv,
    "admin2023"sv, "admin2024"sv, "admin2025"sv, "admin@123"sv, "adminadmin"sv, "administrator"sv,
    "aini1314"sv, "alexander"sv, "alexander1"sv, "alexandra"sv, "amanda123"sv, "amorcito"sv,
    "andrea123"sv, "andrew123"sv, "angel123"sv, "angelica"sv, "angelina"sv, "angels123"sv,
    "anthony1"sv, "anthony123"sv, "apple123"sv, "arsenal1"sv, "arsenal123"sv, "asd12345"sv,
    "asd123456"sv, "asd123asd"sv, "asdasdasd"sv, "asdf1234"sv, "asdfasdf"sv, "asdfgh123"sv,
    "asdfghjk"sv, "asdfghjkl"sv, "asdfghjkl1"sv, "ashley123"sv, "asshole1"sv, "asshole123"sv,
    "autumn2023"sv, "autumn2024"sv, "azerty123"sv, "azertyui"sv, "azertyuiop"sv, "babyboy1"sv,
    "babygirl"sv, "babygirl1"sv, "babygirl12"sv, "babygirl123"sv, "bailey123"sv, "banana123"sv,
    "bangladesh"sv, "barcelona"sv, "barcelona1"sv, "baseball"sv, "baseball1"sv, "baseball12"sv,
    "baseball123"sv, "basketball"sv, "basketball1"sv, "batman12"sv, "batman123"sv, "beatles1"sv,
    "benjamin"sv, "bestfriend"sv, "bismillah"sv, "biteme123"sv, "blahblah"sv, "blahblah1"sv,
    "blessed1"sv, "blessing"sv, "blink182"sv, "bonita123"sv, "bonjour1"sv, "bonjour123"sv,
    "brittany"sv, "brittany1"sv, "broncos1"sv, "bulldog1"sv, "bulldog123"sv, "bulldogs"sv,
    "bullshit"sv, "buster123"sv, "butterfly"sv, "butterfly1"sv, "cameron1"sv, "caroline"sv,
    "celtic123"sv, "changeit"sv, "changeme"sv, "changeme!"sv, "changeme1"sv, "changeme123"sv,
    "charlie1"sv, "charlie123"sv, "cheese123"sv, "chelsea1"sv, "chelsea123"sv, "chevrolet"sv,
    "cheyenne"sv, "chocolat"sv, "chocolate"sv, "chocolate1"sv, "chopper1"sv, "christian"sv,
    "christian1"sv, "christopher"sv, "computer"sv, "computer1"sv, "computer123"sv, "contrasena"sv,
    "contraseña"sv, "cookie123"sv, "cookies1"sv, "corazon1"sv, "corazon123"sv, "correcthorse"sv,
    "correcthorsebatterystaple"sv, "corvette"sv, "courtney"sv, "cowboys1"sv, "cowboys123"sv,
    "cupcake1"sv, "daddy123"sv, "daddysgirl"sv, "dancer123"sv, "daniel12"sv, "daniel123"sv,
    "danielle"sv, "danielle1"sv, "december"sv, "default1"sv, "default123"sv, "dolphin1"sv,
    "dolphin123"sv, "dolphins"sv, "dolphins1"sv, "doraemon"sv, "doudou123"sv, "dragon12"sv,
    "dragon123"sv, "dragon1234"sv, "dragonball"sv, "elephant"sv, "elizabeth"sv, "elizabeth1"sv,
    "eminem123"sv, "estrella"sv, "estrella1"sv, "everton1"sv, "facebook"sv, "facebook1"sv,
    "facebook123"sv, "familia1"sv, "family123"sv, "february"sv, "fernando"sv, "ferrari1"sv,
    "ferrari123"sv, "ficken123"sv, "flower123"sv, "flowers1"sv, "football"sv, "football1"sv,
    "football12"sv, "football123"sv, "forever1"sv, "forever21"sv, "fortnite"sv, "fortnite1"sv,
    "freedom1"sv, "freedom123"sv, "friday123"sv, "friends1"sv, "friends123"sv, "fuckme123"sv,
    "fuckoff1"sv, "fuckoff123"sv, "fuckyou!"sv, "fuckyou1"sv, "fuckyou123"sv, "fuckyou2"sv,
    "gabriel1"sv, "gabriela"sv, "ganesh123"sv, "gateway1"sv, "gators123"sv, "geheim123"sv,
    "ginger123"sv, "godisgood"sv, "godislove"sv, "goodluck"sv, "goodmorning"sv, "google123"sv,
    "google1234"sv, "greenday1"sv, "guest123"sv, "guest1234"sv, "guitar123"sv, "hallo123"sv,
    "hallo1234"sv, "hallohallo"sv, "hannah123"sv, "hardcore"sv, "harley123"sv, "haslo123"sv,
    "heather1"sv, "heaven123"sv, "hello123"sv, "hello1234"sv, "hello12345"sv, "hello123456"sv,
    "hello1kitty"sv, "hellohello"sv, "hellokitty"sv, "helloworld"sv, "heslo123"sv, "highland"sv,
    "hotstuff"sv, "hunter12"sv, "hunter123"sv, "ilovechirp"sv, "ilovegod"sv, "iloveher"sv,
    "ilovehim"sv, "ilovejesus"sv, "ilovemom"sv, "ilovemyself"sv, "iloveyou"sv, "iloveyou!"sv,
    "iloveyou1"sv, "iloveyou12"sv, "iloveyou123"sv, "iloveyou2"sv, "iloveyou520"sv, "india123"sv,
    "india@123"sv, "indonesia"sv, "instagram"sv, "internet"sv, "internet1"sv, "internet123"sv,
    "ironman123"sv, "isabella"sv, "jackson1"sv, "jackson5"sv, "jaimatadi"sv, "january1"sv,
    "jelszo123"sv, "jennifer"sv, "jennifer1"sv, "jessica1"sv, "jessica123"sv, "jesus123"sv,
    "jesus777"sv, "jesuschrist"sv, "johncena"sv, "johnson1"sv, "jonathan"sv, "jordan123"sv,
    "jordan23"sv, "joshua123"sv, "juventus"sv, "kamisama"sv, "killer123"sv, "kimberly"sv,
    "kittykat"sv, "krishna1"sv, "krishna123"sv, "kristina"sv, "lakers123"sv, "lakers24"sv,
    "lastlove"sv, "lauren123"sv, "leonardo"sv, "letmein!"sv, "letmein1"sv, "letmein12"sv,
    "letmein123"sv, "letmein2024"sv, "letmeinnow"sv, "linkedin"sv, "linkedin1"sv, "linkinpark"sv,
    "liverpool"sv, "liverpool1"sv, "liverpool123"sv, "lkjhgfdsa"sv, "lollipop"sv, "lollypop"sv,
    "lovelove"sv, "lovely123"sv, "loveme123"sv, "lovers123"sv, "loveyou1"sv, "loveyou123"sv,
    "lozinka1"sv, "maggie123"sv, "manager1"sv, "manchester"sv, "manunited"sv, "manutd123"sv,
    "maria123"sv, "marina123"sv, "mariposa"sv, "marlboro"sv, "marley123"sv, "marseille"sv,
    "marvin123"sv, "master12"sv, "master123"sv, "mastermaster"sv, "matrix12"sv, "matrix123"sv,
    "matthew1"sv, "matthew123"sv, "maverick"sv, "maverick1"sv, "melissa1"sv, "melissa123"sv,
    "mercedes"sv, "mercedes1"sv, "merlin123"sv, "metallica"sv, "metallica1"sv, "mexico123"sv,
    "michael1"sv, "michael12"sv, "michael123"sv, "michelle"sv, "michelle1"sv, "microsoft"sv,
    "midnight"sv, "midnight1"sv, "minecraft"sv, "minecraft1"sv, "minecraft123"sv, "mnbvcxz1"sv,
    "molly123"sv, "mommy123"sv, "monday123"sv, "monkey12"sv, "monkey123"sv, "monkey1234"sv,
    "montana1"sv, "moonlight"sv, "mortgage"sv, "motdepasse"sv, "motorola"sv, "mountain"sv,
    "mountain1"sv, "music123"sv, "musica123"sv, "mustang1"sv, "mustang123"sv, "mylove123"sv,
    "mypassword"sv, "naruto123"sv, "newpassword"sv, "nicholas"sv, "nicole123"sv, "nihao123"sv,
    "nintendo"sv, "nirvana1"sv, "nirvana123"sv, "nokia123"sv, "nokia3310"sv, "nokia6300"sv,
    "nothing1"sv, "nothing123"sv, "november"sv, "oliver123"sv, "omsairam"sv, "operator1"sv,
    "p@55w0rd"sv, "p@ssw0rd"sv, "p@ssw0rd1"sv, "p@ssword"sv, "p@ssword1"sv, "pa$$w0rd"sv,
    "pa$$word"sv, "pa55w0rd"sv, "pa55word"sv, "packers1"sv, "packers123"sv, "pakistan"sv,
    "pakistan1"sv, "panther1"sv, "paradise"sv, "parola123"sv, "pass1234"sv, "pass12345"sv,
    "pass123456"sv, "pass@123"sv, "pass@1234"sv, "passpass"sv, "passw0rd"sv, "passw0rd1"sv,
    "passwd123"sv, "password"sv, "password!"sv, "password!!"sv, "password0"sv, "password01"sv,
    "password1"sv, "password1!"sv, "password10"sv, "password11"sv, "password12"sv, "password123"sv,
    "password123!"sv, "password1234"sv, "password2"sv, "password2020"sv, "password2021"sv,
    "password2022"sv, "password2023"sv, "password2024"sv, "password2025"sv, "password3"sv,
    "password7"sv, "password9"sv, "password99"sv, "password@1"sv, "password@123"sv, "passwords"sv,
    "passwort"sv, "passwort1"sv, "patricia"sv, "patrick1"sv, "patriots"sv, "patriots1"sv,
    "peace123"sv, "peaches1"sv, "penguin1"sv, "penguin123"sv, "pepper123"sv, "phantom1"sv,
    "phoenix1"sv, "pikachu1"sv, "platinum"sv, "playstation"sv, "poiuytrewq"sv, "pokemon1"sv,
    "pokemon123"sv, "poohbear"sv, "porsche1"sv, "porsche911"sv, "precious"sv, "precious1"sv,
    "princesa"sv, "princess"sv, "princess1"sv, "princess12"sv, "princess123"sv, "private1"sv,
    "q1w2e3r4"sv, "q1w2e3r4t5"sv, "q1w2e3r4t5y6"sv, "qaz123wsx"sv, "qazqazqaz"sv, "qazwsx123"sv,
    "qazwsxedc"sv, "qazwsxedcrfv"sv, "qazxswedc"sv, "qq123456"sv, "qq123456789"sv, "qwaszx12"sv,
    "qwe123456"sv, "qwe123qwe"sv, "qweasd123"sv, "qweasdzxc"sv, "qweqweqwe"sv, "qwer1234"sv,
    "qwer12345"sv, "qwerasdf"sv, "qwerfdsa"sv, "qwert123"sv, "qwert1234"sv, "qwert12345"sv,
    "qwerty!@"sv, "qwerty01"sv, "qwerty11"sv, "qwerty12"sv, "qwerty123"sv, "qwerty1234"sv,
    "qwerty12345"sv, "qwerty123456"sv, "qwerty@123"sv, "qwertyqwerty"sv, "qwertyui"sv,
    "qwertyuio"sv, "qwertyuiop"sv, "qwertyuiop123"sv, "qwertz123"sv, "qwertzui"sv, "qwertzuiop"sv,
    "rachel123"sv, "raiders1"sv, "raiders123"sv, "rangers1"sv, "rangers123"sv, "realmadrid"sv,
    "rebecca1"sv, "rebecca123"sv, "redskins"sv, "remember"sv, "robert123"sv, "roblox123"sv,
    "rocknroll"sv, "rockstar"sv, "rockstar1"sv, "rolltide"sv, "root1234"sv, "rootroot"sv,
    "sairam123"sv, "sakura123"sv, "salasana"sv, "samantha"sv, "samantha1"sv, "samsung1"sv,
    "samsung123"sv, "santiago"sv, "sayang123"sv, "scarface"sv, "schatz123"sv, "scorpion"sv,
    "scorpion1"sv, "sebastian"sv, "sebastian1"sv, "secret12"sv, "secret123"sv, "secret1234"sv,
    "senha123"sv, "senha1234"sv, "september"sv, "sexygirl"sv, "sexylady"sv, "shadow12"sv,
    "shadow123"sv, "sifre123"sv, "silver123"sv, "skywalker"sv, "slipknot"sv, "slipknot1"sv,
    "snickers"sv, "snoopy123"sv, "snowball"sv, "softball"sv, "soleil123"sv, "something"sv,
    "sophie123"sv, "spencer1"sv, "spiderman"sv, "spiderman1"sv, "spring2023"sv, "spring2024"sv,
    "stanley1"sv, "stargate"sv, "starwars"sv, "starwars1"sv, "starwars123"sv, "steelers"sv,
    "steelers1"sv, "stephanie"sv, "sterling"sv, "strawberry"sv, "summer12"sv, "summer123"sv,
    "summer2020"sv, "summer2021"sv, "summer2022"sv, "summer2023"sv, "summer2024"sv, "summer2025"sv,
    "sunday123"sv, "sunflower"sv, "sunflower1"sv, "sunshine"sv, "sunshine1"sv, "sunshine12"sv,
    "sunshine123"sv, "superman"sv, "superman1"sv, "superman12"sv, "superman123"sv, "superstar"sv,
    "superstar1"sv, "superuser"sv, "sweetheart"sv, "sweetie1"sv, "sweetpea"sv, "swordfish"sv,
    "system123"sv, "teamo123"sv, "teamomucho"sv, "teddybear"sv, "temp1234"sv, "temporary"sv,
    "tequiero"sv, "teresa123"sv, "test1234"sv, "test12345"sv, "test123456"sv, "test123test"sv,
    "test@123"sv, "testing1"sv, "testing123"sv, "testtest"sv, "thomas123"sv, "thunder1"sv,
    "thunder123"sv, "tiger123"sv, "tigers123"sv, "tigger123"sv, "tinker123"sv, "tinkerbell"sv,
    "titanic1"sv, "together"sv, "tokyo123"sv, "toor1234"sv, "topsecret"sv, "tottenham"sv,
    "tottenham1"sv, "toyota123"sv, "training"sv, "trinity1"sv, "trouble1"sv, "trustno1"sv,
    "trustno1!"sv, "tweety123"sv, "twitter1"sv, "twitter123"sv, "valentina"sv, "valentine"sv,
    "vampire1"sv, "veronica"sv, "victoria"sv, "victoria1"sv, "victory1"sv, "vincent1"sv,
    "volleyball"sv, "wachtwoord"sv, "wang1234"sv, "warcraft"sv, "warrior1"sv, "waterfall"sv,
    "welcome!"sv, "welcome01"sv, "welcome1"sv, "welcome1!"sv, "welcome12"sv, "welcome123"sv,
    "welcome1234"sv, "welcome2"sv, "welcome2020"sv, "welcome2021"sv, "welcome2022"sv,
    "welcome2023"sv, "welcome2024"sv, "welcome2025"sv, "westside"sv, "whatever"sv, "whatever1"sv,
    "whatever123"sv, "wildcats"sv, "william1"sv, "william123"sv, "williams"sv, "windows1"sv,
    "windows10"sv, "winston1"sv, "winter123"sv, "winter2020"sv, "winter2021"sv, "winter2022"sv,
    "winter2023"sv, "winter2024"sv, "winter2025"sv, "wizard123"sv, "woaini123"sv, "woaini1314"sv,
    "woaini520"sv, "wolverine"sv, "wolverine1"sv, "xavier123"sv, "xbox360xbox"sv, "yamaha123"sv,
    "yankees1"sv, "yellow123"sv, "youtube123"sv, "zachary1"sv, "zaq!2wsx"sv, "zaq12wsx"sv,
    "zaq1xsw2"sv, "zaq1zaq1"sv, "zelda123"sv, "zhang123"sv, "zxc123456"sv, "zxcasdqwe"sv,
    "zxcvbnm,"sv, "zxcvbnm1"sv, "zxcvbnm12"sv, "zxcvbnm123"sv, "zxcvbnmm"sv, "zxcvzxcv"sv,
    // clang-format on
};
static_assert(std::is_sorted(kCommon.begin(), kCommon.end()));

// Trims blanks and control characters, and folds to plain lower-case letters.
std::string essence(std::string_view password) {
  const std::string folded = utf8::compatibly_folded(password);
  const auto is_around = [](std::int32_t code_point) {
    return code_point != utf8::kInvalid &&
           (utf8::is_blank(code_point) || utf8::is_control(code_point));
  };
  std::size_t begin = folded.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < folded.size();) {
    const utf8::Decoded next = utf8::decode(std::string_view(folded).substr(at));
    if (!is_around(next.code_point)) {
      begin = std::min(begin, at);
      end = at + next.bytes;
    }
    at += next.bytes;
  }
  return begin < end ? folded.substr(begin, end - begin) : std::string();
}

bool is_one_character(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [&](char c) { return c == text.front(); });
}

}  // namespace

bool is_common_password(std::string_view password) {
  const std::string plain = essence(password);
  return is_one_character(plain) ||
         std::binary_search(kCommon.begin(), kCommon.end(), std::string_view(plain));
}

}  // namespace chirp
