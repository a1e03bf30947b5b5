// What the shells of a storm do.
#include <array>

#include <fmt/format.h>

#include "tests/support/data_directories.h"
#include "tests/support/storm.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr int kMissing = 3;
constexpr int kRefused = 4;
// People who come by loads; those above `kLoadedStay` are removed again and again.
constexpr std::uint64_t kLoaded = 60;
constexpr std::uint64_t kLoadedStay = 40;
constexpr std::uint64_t kShared = 4;
constexpr std::size_t kPeopleMost = 6;
constexpr std::size_t kBackupsKept = 4;

std::string field(const std::string& json, const std::string& name) {
  return Told{200, json}.field(name);
}

std::string shared_person(std::uint64_t number) { return fmt::format("c{}", number % kShared); }
std::string loaded_person(std::uint64_t number) { return fmt::format("u{}", number); }

}  // namespace

std::string Storm::somebody(Shell& shell) {
  const Shell& other = shells_[shell.random() % shells_.size()];
  if (other.people.empty() || shell.random() % 3 == 0) return shared_person(shell.random());
  return other.people[shell.random() % other.people.size()];
}

// A post of any shell, if its id is known.
std::optional<std::string> Storm::some_post(Shell& shell) {
  const Shell& other = shells_[shell.random() % shells_.size()];
  if (other.posts.empty()) return std::nullopt;
  const std::string text = other.posts[shell.random() % other.posts.size()];
  return oracle_.posts[text].id.empty() ? std::nullopt : std::optional(text);
}

Storm::Task Storm::sign_up(Shell& shell) {
  const std::string name = fmt::format("s{}x{}", shell.number, ++shell.made);
  const std::string shown = "New " + name;
  Task task{{"user", "add", name, "--display-name", shown, "--email", name + "@example.org"}};
  task.may_then = {0, kRefused};
  task.again = true;
  task.told = [this, &shell, name, shown](Word word, const Ended& ended) {
    auto& person = oracle_.people[name];
    // A user whose sign-up was cut off may exist.
    if (ended.status == kRefused && person.truth == Truth::kEither) word = Word::kDone;
    oracle_.make(person.truth, word);
    oracle_.edited(name, shown, word);
    if (word == Word::kDone) shell.people.push_back(name);
  };
  return task;
}

Storm::Task Storm::edit(Shell& shell) {
  const bool own = !shell.people.empty() && shell.random() % 2 == 0;
  const std::string name =
      own ? shell.people[shell.random() % shell.people.size()] : shared_person(shell.random());
  const std::string shown = fmt::format("{} by {} {}", name, shell.number, ++shell.made);
  Task task{{"user", "edit", name, "--display-name", shown}};
  task.told = [this, name, shown, own](Word word, const Ended&) {
    if (own) return oracle_.edited(name, shown, word);
    // Others edit the same one: any of their names may be the last.
    if (word != Word::kFailed) oracle_.people[name].names.insert(shown);
  };
  return task;
}

Storm::Task Storm::remove(Shell& shell) {
  if (shell.random() % 3 == 0 || shell.people.size() < 2) {
    const std::uint64_t number = kLoadedStay + 1 + shell.random() % (kLoaded - kLoadedStay);
    return {{"user", "remove", loaded_person(number)}, {0, kMissing}};
  }
  const std::string name = shell.people.front();
  shell.people.erase(shell.people.begin());
  Task task{{"user", "remove", name}, {0, kMissing}, {}, true};
  task.told = [this, name](Word word, const Ended& ended) {
    Truth& truth = oracle_.people[name].truth;
    if (ended.status == kMissing && truth == Truth::kThere)
      fault(name + " was acknowledged, and is missing");
    oracle_.take(truth, ended.status == kMissing ? Word::kDone : word);
  };
  return task;
}

Storm::Task Storm::post(Shell& shell) {
  const std::string text = fmt::format("p{}-{} #storm", shell.number, ++shell.made);
  const std::string author = shell.people.empty()
                                 ? shared_person(shell.random())
                                 : shell.people[shell.random() % shell.people.size()];
  Task task{
      {"post", "add", author, text, "--idempotency-key", text.substr(0, text.find(' ')), "--json"}};
  if (shell.random() % 4 == 0) {
    task.arguments.insert(task.arguments.end(), {"--media", (outside_ / "picture.png").string()});
  }
  if (shell.random() % 5 == 0) task.arguments.emplace_back("--no-wait");
  task.again = shell.random() % 2 == 0;
  task.told = [this, &shell, text, author](Word word, const Ended& ended) {
    auto& post = oracle_.posts[text];
    post.author = author;
    oracle_.make(post.truth, word);
    if (word != Word::kDone) return;
    post.id = field(ended.out, "postId");
    shell.posts.push_back(text);
  };
  return task;
}

Storm::Task Storm::remove_post(Shell& shell) {
  if (shell.posts.size() < 3) return post(shell);
  const auto at =
      shell.posts.begin() + static_cast<std::ptrdiff_t>(shell.random() % shell.posts.size());
  const std::string text = *at;
  shell.posts.erase(at);
  Task task{{"post", "remove", oracle_.posts[text].id}, {0, kMissing}, {}, true};
  task.told = [this, text](Word word, const Ended& ended) {
    oracle_.take(oracle_.posts[text].truth, ended.status == kMissing ? Word::kDone : word);
  };
  return task;
}

Storm::Task Storm::react(Shell& shell) {
  const auto text = some_post(shell);
  if (!text || shell.people.empty()) return sign_up(shell);
  const std::string who = shell.people[shell.random() % shell.people.size()];
  const bool sets = shell.random() % 4 != 0;
  Task task{{"post", sets ? "react" : "unreact", who, oracle_.posts[*text].id}, {0, kMissing}};
  task.told = [this, who, post = *text, sets](Word word, const Ended&) {
    Truth& truth = oracle_.reactions[{who, post}];
    sets ? oracle_.make(truth, word) : oracle_.take(truth, word);
  };
  return task;
}

Storm::Task Storm::comment(Shell& shell) {
  const auto post = some_post(shell);
  if (!post) return this->post(shell);
  const std::string who = somebody(shell);
  const std::string text = fmt::format("k{}-{}", shell.number, ++shell.made);
  Task task{{"comment", "add", who, oracle_.posts[*post].id, text}, {0, kMissing}};
  task.told = [this, who, text, post = *post](Word word, const Ended&) {
    auto& comment = oracle_.comments[text];
    comment.author = who;
    comment.post = post;
    oracle_.make(comment.truth, word);
  };
  return task;
}

Storm::Task Storm::follow(Shell& shell) {
  if (shell.people.empty()) return sign_up(shell);
  const std::string who = shell.people[shell.random() % shell.people.size()];
  const std::string whom = somebody(shell);
  if (who == whom) return read(shell);
  const bool sets = shell.random() % 4 != 0;
  Task task{{"follow", sets ? "add" : "remove", who, whom}, {0, kMissing}};
  task.told = [this, who, whom, sets](Word word, const Ended&) {
    Truth& truth = oracle_.follows[{who, whom}];
    sets ? oracle_.make(truth, word) : oracle_.take(truth, word);
  };
  return task;
}

Storm::Task Storm::load_graph(Shell& shell) {
  const fs::path file = outside_ / fmt::format("graph{}-{}", shell.number, ++shell.made);
  std::string lines;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t from = 1 + shell.random() % kLoaded;
    const std::uint64_t to = 1 + shell.random() % kLoaded;
    if (from == to) continue;
    edges.emplace_back(from, to);
    lines += fmt::format("{} {}\n", from, to);
  }
  write_file(file, lines);
  Task task{{"load", "graph", file.string()}, {0}, {}, true, false};
  task.told = [this, edges](Word word, const Ended&) {
    for (const auto& [from, to] : edges) {
      if (from > kLoadedStay || to > kLoadedStay) continue;
      for (const std::uint64_t end : {from, to}) {
        oracle_.make(oracle_.people[loaded_person(end)].truth, word);
      }
      oracle_.make(oracle_.follows[{loaded_person(from), loaded_person(to)}], word);
    }
  };
  return task;
}

Storm::Task Storm::load_posts(Shell& shell) {
  const fs::path file = outside_ / fmt::format("posts{}-{}", shell.number, ++shell.made);
  std::string lines;
  std::vector<std::pair<std::string, std::uint64_t>> posts;
  for (int i = 0; i < 25; ++i) {
    const std::uint64_t id =
        shell.number * 10'000'000 + shell.made * 100 + static_cast<unsigned>(i);
    posts.emplace_back(fmt::format("l{}", id), 1 + shell.random() % kLoaded);
    lines += fmt::format(R"({{"id":"{}","authorId":"{}","text":"l{}","createdAt":{}}})"
                         "\n",
                         id, posts.back().second, id, 1'500'000'000 + id % 100'000);
  }
  write_file(file, lines);
  Task task{{"load", "posts", file.string()}, {0}, {}, true, false};
  task.told = [this, posts](Word word, const Ended&) {
    for (const auto& [text, author] : posts) {
      if (author > kLoadedStay) continue;
      oracle_.make(oracle_.people[loaded_person(author)].truth, word);
      oracle_.posts[text].author = loaded_person(author);
      oracle_.make(oracle_.posts[text].truth, word);
    }
  };
  return task;
}

Storm::Task Storm::backup(Shell& shell) {
  const fs::path path = outside_ / fmt::format("backup{}-{}", shell.number, ++shell.made);
  Task task{{"backup", path.string()}};
  task.told = [this, path, posts = oracle_.sure_posts()](Word word, const Ended&) {
    if (word == Word::kDone && !fs::exists(path)) fault("a backup is not there: " + path.string());
    if (!fs::exists(path)) return;
    backups_.push_back({path, posts});
    if (backups_.size() <= kBackupsKept) return;
    fs::remove_all(backups_.front().path);
    backups_.erase(backups_.begin());
  };
  return task;
}

Storm::Task Storm::export_all(Shell& shell) {
  const fs::path path = outside_ / fmt::format("export{}-{}", shell.number, ++shell.made);
  Task task{{"export", path.string()}};
  task.told = [path](Word, const Ended&) {
    std::error_code none;
    fs::remove_all(path, none);
  };
  return task;
}

Storm::Task Storm::read(Shell& shell) {
  const std::string who =
      shell.people.empty() ? shared_person(shell.random()) : shell.people.back();
  const std::vector<std::vector<std::string>> reads{
      {"feed", "show", who},
      {"feed", "show", shared_person(shell.random()), "--explain"},
      {"feed", "verify", who},
      {"feed", "refresh", who, "--since", "2h"},
      {"notify", "list", who},
      {"trend", "list"},
      {"stats"},
      {"log", "tail"},
      {"user", "list"},
      {"follow", "followers", who},
      {"feed", "rebuild", who},
      {"notify", "read", who},
      {"doctor"},
      {"doctor"},
      {"config", "set", "feed.cap", "800"}};
  return {reads[shell.random() % reads.size()]};
}

Storm::Task Storm::choose_writing(Shell& shell) {
  using Choice = Task (Storm::*)(Shell&);
  static constexpr std::array<std::pair<Choice, unsigned>, 12> kChoices{{
      {&Storm::sign_up, 8},
      {&Storm::edit, 10},
      {&Storm::remove, 6},
      {&Storm::post, 20},
      {&Storm::remove_post, 5},
      {&Storm::react, 8},
      {&Storm::comment, 6},
      {&Storm::follow, 12},
      {&Storm::load_graph, 5},
      {&Storm::load_posts, 4},
      {&Storm::backup, 2},
      {&Storm::export_all, 2},
  }};
  static constexpr unsigned kAllOfThem = 88;
  std::uint64_t drawn = shell.random() % kAllOfThem;
  for (const auto& [choice, weight] : kChoices) {
    if (drawn < weight) return (this->*choice)(shell);
    drawn -= weight;
  }
  return read(shell);
}

Storm::Task Storm::choose(Shell& shell) {
  if (shell.people.size() < 2) return sign_up(shell);
  if (shell.people.size() > kPeopleMost) return remove(shell);
  return shell.random() % 4 == 0 ? read(shell) : choose_writing(shell);
}

}  // namespace chirp::test
