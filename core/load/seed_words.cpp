#include "core/load/seed_words.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/limits.h"

namespace chirp::load {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 64> kFirst{
    "mira",  "tomas", "yuki",  "zoe",  "amir",  "lena",  "ola",  "kofi",  "ines",   "juan",
    "nora",  "petra", "samir", "tess", "hugo",  "mei",   "ravi", "sofia", "liam",   "aya",
    "bruno", "carla", "dario", "ella", "femi",  "greta", "hana", "ivan",  "jade",   "karim",
    "lucia", "marek", "nils",  "omar", "pia",   "quinn", "rosa", "sven",  "tara",   "uma",
    "vera",  "wanda", "xenia", "yara", "zeno",  "anton", "bea",  "cora",  "dmitri", "esme",
    "finn",  "gita",  "henri", "ilse", "jonas", "kira",  "leo",  "maya",  "noor",   "oscar",
    "priya", "ruth",  "stan",  "thea"};

constexpr std::array<Word, 64> kSecond{
    "fox",   "wren",   "birch",  "stone",  "river",  "moss",   "lark",    "pine",
    "frost", "hazel",  "reed",   "cloud",  "finch",  "heath",  "ivy",     "jay",
    "kite",  "linden", "marsh",  "nettle", "oak",    "pike",   "quill",   "rowan",
    "sage",  "thorn",  "vale",   "willow", "yarrow", "ash",    "brook",   "clay",
    "dune",  "elm",    "fern",   "gale",   "hawk",   "isle",   "juniper", "knoll",
    "leaf",  "mist",   "north",  "otter",  "peak",   "quay",   "rain",    "shore",
    "tide",  "urchin", "violet", "wolf",   "yew",    "zephyr", "amber",   "basalt",
    "cedar", "delta",  "ember",  "flint",  "grove",  "harbor", "iris",    "jasper"};

struct SeedTopic {
  Word name;
  std::array<Word, 3> tags;
  std::array<Word, 8> things;
};

constexpr std::array<SeedTopic, 14> kTopics{{
    {"gardening",
     {"#garden", "#allotment", "#growyourown"},
     {"the runner beans", "a barrow of compost", "the first tomatoes", "my pear tree", "the slugs",
      "a packet of lost seeds", "the greenhouse door", "three kinds of kale"}},
    {"cycling",
     {"#cycling", "#bikecommute", "#gravel"},
     {"the new chain", "a headwind both ways", "the hill behind the station", "a flat tyre",
      "the canal path", "my old steel frame", "a borrowed saddle", "forty quiet miles"}},
    {"bread",
     {"#baking", "#sourdough", "#bread"},
     {"the sourdough starter", "a rye loaf", "twelve cinnamon buns", "the oven that runs hot",
      "a proper crust", "the focaccia", "burnt edges", "my grandmother's recipe"}},
    {"the night sky",
     {"#astronomy", "#nightsky", "#stargazing"},
     {"the rings of Saturn", "a clear night at last", "the lunar eclipse", "my small telescope",
      "the Perseids", "a very bright satellite", "Jupiter and its moons", "the comet"}},
    {"trains",
     {"#trains", "#railway", "#sleepertrain"},
     {"the 6:14", "the night train to the coast", "a window seat", "a missed connection",
      "the old signal box", "the replacement bus", "the branch line", "a dining car"}},
    {"books",
     {"#amreading", "#books", "#library"},
     {"the last chapter", "a second-hand atlas", "the book everybody lent me",
      "a very long footnote", "the library sale", "three unfinished novels", "the audiobook",
      "a poem I keep going back to"}},
    {"football",
     {"#matchday", "#football", "#goal"},
     {"that penalty", "the away end", "a goalless draw", "the under-twelves", "extra time",
      "the referee's whistle", "our new left back", "the long ball"}},
    {"programming",
     {"#coding", "#opensource", "#debugging"},
     {"the failing test", "an off-by-one", "the build that takes an hour", "a tidy commit",
      "the bug from last spring", "my dotfiles", "a race condition", "the code review"}},
    {"music",
     {"#nowplaying", "#vinyl", "#livemusic"},
     {"the new record", "a broken string", "the choir rehearsal", "the bass line",
      "a song from 1974", "the support act", "my cello teacher", "the last encore"}},
    {"the town",
     {"#localnews", "#council", "#ourtown"},
     {"the council meeting", "the closed bridge", "a petition for a crossing", "the new library",
      "the market square", "the bus timetable", "the swimming pool", "the old mill"}},
    {"birds",
     {"#birding", "#birds", "#dawnchorus"},
     {"a pair of goldfinches", "the first swift", "an owl at dusk", "the heron by the weir",
      "a very loud wren", "two hundred starlings", "the empty nest box", "a kingfisher"}},
    {"film",
     {"#film", "#cinema", "#documentary"},
     {"the director's cut", "a silent film with a live piano", "the last row",
      "that long tracking shot", "the subtitles", "a matinee for two", "the restored print",
      "the sequel"}},
    {"coffee",
     {"#coffee", "#espresso", "#cafe"},
     {"the second cup", "a new grinder", "the corner cafe", "an oat flat white",
      "beans from a friend", "the broken kettle", "the quiet table", "a good crema"}},
    {"running",
     {"#running", "#parkrun", "#marathon"},
     {"the long run", "my left knee", "a personal best", "the last two kilometres", "new shoes",
      "the muddy trail", "an interval session", "the starting line"}},
}};

constexpr std::array<Word, 28> kSentences{"Spent the whole morning on {0}, and would do it again.",
                                          "Has anybody else noticed {0} this year?",
                                          "Nobody warned me about {0}.",
                                          "Small victory: {0}.",
                                          "{0}, {1}, and a cup of tea. That was my {2}.",
                                          "I could talk about {0} for hours. Ask my neighbours.",
                                          "What do you all think of {0}?",
                                          "Today's lesson: never underestimate {0}.",
                                          "Found {0} while looking for {1}.",
                                          "First {0}, then {1}. In that order, always.",
                                          "There is nothing like {0} on a {2}.",
                                          "Update on {0}: no news yet.",
                                          "I have changed my mind about {0}.",
                                          "{0} again. Third time this week.",
                                          "Somebody please explain {0} to me.",
                                          "A {2} well spent: {0} and good company.",
                                          "Still thinking about {0}.",
                                          "If you need me, I am with {0}.",
                                          "Good {2} to everybody but {0}.",
                                          "Photos of {0} to follow, once I have dried off.",
                                          "Can't decide between {0} and {1}.",
                                          "My favourite part of the week: {0}.",
                                          "It finally happened: {0}. I have no words.",
                                          "Note to self: {0} won't wait.",
                                          "Everything I know about {0} I learnt the hard way.",
                                          "Took a {2} off for {0}. No regrets.",
                                          "Who else is up for {0}?",
                                          "Honestly, {1} was fine, but {0}!"};

constexpr std::array<Word, 7> kTimes{"Sunday",  "morning",   "evening",      "Friday",
                                     "weekend", "afternoon", "rainy Tuesday"};

constexpr std::array<Word, 8> kClosings{"More tomorrow.",    "What a week.",  "Worth it.",
                                        "Ask me anything.",  "Wish me luck.", "Send help.",
                                        "That is the post.", "See you there."};

// Answers to any post.
constexpr std::array<Word, 12> kAnswers{"I had no idea!",
                                        "Tell me more.",
                                        "Same here, since last week.",
                                        "This made my day.",
                                        "Are you sure?",
                                        "Where was that?",
                                        "Somebody had to say it.",
                                        "Count me in.",
                                        "I disagree, but nicely put.",
                                        "How did it go in the end?",
                                        "I was about to say the same.",
                                        "Next time, call me before."};

// Answers about the subject of a post ({0}), and another one of its topic ({1}).
constexpr std::array<Word, 16> kAnswersAbout{"I would take {0} over {1} any day.",
                                             "And what about {1}?",
                                             "Thank you for bringing up {0}.",
                                             "I feel the same about {1}.",
                                             "Wait until you hear about {1}.",
                                             "I never gave {0} a thought until now.",
                                             "I had to think of {1} at once.",
                                             "No luck with {1} here, so I envy you.",
                                             "{0}? I thought you were busy with {1}.",
                                             "That is what I said about {1} last year.",
                                             "Did you hear about {1}, too?",
                                             "More about {0}, please.",
                                             "We talked about {0} only yesterday.",
                                             "My neighbour knows all about {0}.",
                                             "I still prefer {1}.",
                                             "Good to hear about {0} again."};

constexpr std::array<Word, 8> kBios{"Mostly {0}.",
                                    "Here for {0}, staying for the people.",
                                    "{0} and long walks.",
                                    "Writes about {0}. Opinions are my cat's.",
                                    "Amateur of {0} since 1998.",
                                    "Parent of two. {0} when there is time.",
                                    "Thinking out loud about {0}.",
                                    "Into {0}, bad puns and good soup."};

template <std::size_t N>
Word one_of(const std::array<Word, N>& words, SeedRandom& random) {
  return words[random.below(N)];
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::uint64_t another_than(std::uint64_t thing, const SeedTopic& about, SeedRandom& random) {
  return (thing + 1 + random.below(about.things.size() - 1)) % about.things.size();
}

// A sentence about one or two subjects of a topic, and sometimes another sentence.
std::string words_about(const SeedTopic& about, SeedRandom& random) {
  const std::uint64_t thing = random.below(about.things.size());
  const std::uint64_t other = another_than(thing, about, random);
  // The order of the draws is part of a seed's meaning, so the compiler must not choose it.
  const Word time = one_of(kTimes, random);
  const Word sentence = one_of(kSentences, random);
  std::string text = capitalised(
      fmt::format(fmt::runtime(sentence), about.things[thing], about.things[other], time));
  if (random.percent(30)) text.append(" ").append(one_of(kClosings, random));
  return text;
}

// The subject of a generated text.
struct Subject {
  const SeedTopic* topic;
  std::uint64_t thing;
};
std::optional<Subject> subject_of(std::string_view text) {
  for (const SeedTopic& topic : kTopics) {
    for (std::uint64_t thing = 0; thing < topic.things.size(); ++thing) {
      // Its first letter may be a capital one.
      if (text.find(topic.things[thing].substr(1)) != std::string_view::npos) {
        return Subject{&topic, thing};
      }
    }
  }
  return std::nullopt;
}

// The subject as the reader's: "my" becomes "your".
std::string to_another(Word thing) {
  constexpr Word kMine = "my ";
  return thing.starts_with(kMine) ? fmt::format("your {}", thing.substr(kMine.size()))
                                  : std::string(thing);
}

// Uses every pair of words once, then again with a number after it.
struct NameParts {
  Word first;
  Word second;
  std::uint64_t round;
};
constexpr std::uint64_t kPairs = kFirst.size() * kSecond.size();

// Multiplying by odd numbers and xor-shifting map each pair to another one.
NameParts parts_of(std::uint64_t seed, std::uint32_t user) {
  static_assert((kPairs & (kPairs - 1)) == 0);
  std::uint64_t pair = ((user ^ mixed(seed)) * 2731) & (kPairs - 1);
  pair = ((pair ^ (pair >> 5)) * 1237) & (kPairs - 1);
  pair ^= pair >> 7;
  return {kFirst[pair % kFirst.size()], kSecond[pair / kFirst.size()], user / kPairs};
}

}  // namespace

std::string seed_username(std::uint64_t seed, std::uint32_t user) {
  const NameParts parts = parts_of(seed, user);
  const std::string number = parts.round == 0 ? std::string() : std::to_string(parts.round);
  std::string name = fmt::format("{}_{}{}", parts.first, parts.second, number);
  if (name.size() <= limits::kUsernameMax) return name;
  constexpr std::size_t kWordMax =
      5;  // of each, so that four digits are enough; still all different
  return fmt::format("{}_{}{}", parts.first.substr(0, kWordMax), parts.second.substr(0, kWordMax),
                     number);
}

std::string seed_display_name(std::uint64_t seed, std::uint32_t user) {
  const NameParts parts = parts_of(seed, user);
  return capitalised(std::string(parts.first)) + " " + capitalised(std::string(parts.second));
}

std::string seed_bio(std::uint64_t topic, SeedRandom& random) {
  if (random.percent(20)) return {};
  const Word about = kTopics[topic % kTopics.size()].name;
  return capitalised(fmt::format(fmt::runtime(one_of(kBios, random)), about));
}

std::string seed_text(std::uint64_t topic, const std::string& mentioned, SeedRandom& random) {
  // Sometimes people talk about another topic.
  if (random.percent(15)) topic = random.below(kTopics.size());
  const SeedTopic& about = kTopics[topic % kTopics.size()];
  std::string text = words_about(about, random);
  if (random.percent(12)) text.insert(0, "@" + mentioned + " ");
  if (random.percent(35)) text.append(" ").append(one_of(about.tags, random));
  return text;
}

std::string seed_news(std::uint64_t tag, SeedRandom& random) {
  const SeedTopic& about = kTopics[tag % kTopics.size()];
  std::string text = words_about(about, random);
  text.append(" ").append(about.tags[tag / kTopics.size() % about.tags.size()]);
  return text;
}

std::string seed_comment(std::string_view text, const std::string& answered, SeedRandom& random) {
  const auto subject = subject_of(text);
  std::string comment;
  if (subject && random.percent(65)) {
    const auto& things = subject->topic->things;
    const Word other = things[another_than(subject->thing, *subject->topic, random)];
    const Word answer = one_of(kAnswersAbout, random);
    comment =
        capitalised(fmt::format(fmt::runtime(answer), to_another(things[subject->thing]), other));
  } else {
    comment = one_of(kAnswers, random);
  }
  if (random.percent(30)) comment.insert(0, "@" + answered + " ");
  return comment;
}

}  // namespace chirp::load
