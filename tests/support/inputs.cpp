#include "tests/support/inputs.h"

#include <algorithm>
#include <fstream>

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>

#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

// What libarchive writes, gathered in a string.
class Packer {
 public:
  Packer() : archive_(archive_write_new()) {}
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer() { archive_write_free(archive_); }

  [[nodiscard]] archive* get() { return archive_; }
  void open() {
    archive_write_set_bytes_per_block(archive_, 0);
    REQUIRE(archive_write_open(archive_, &out_, nullptr, take, nullptr) == ARCHIVE_OK);
  }
  void add(const std::string& name, std::string_view contents) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(contents.size()));
    REQUIRE(archive_write_header(archive_, entry) == ARCHIVE_OK);
    if (!contents.empty()) {
      REQUIRE(archive_write_data(archive_, contents.data(), contents.size()) ==
              static_cast<la_ssize_t>(contents.size()));
    }
    archive_entry_free(entry);
  }
  std::string finish() {
    REQUIRE(archive_write_close(archive_) == ARCHIVE_OK);
    return std::move(out_);
  }

 private:
  static la_ssize_t take(archive* /*a*/, void* out, const void* bytes, std::size_t size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
  }

  archive* archive_;
  std::string out_;
};

}  // namespace

std::size_t TextStream::read(std::span<char> into) {
  const std::size_t size = std::min({into.size(), step_, text_.size() - at_});
  std::copy_n(text_.data() + at_, size, into.data());
  at_ += size;
  return size;
}

std::string InputFiles::write(std::string_view name, std::string_view contents) const {
  const std::filesystem::path file = folder_ / name;
  std::ofstream out(file, std::ios::binary);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  REQUIRE(out.good());
  return file.string();
}

PostsIn read_posts(std::string text, ReadAs as) {
  using namespace cli::input;
  PostsIn all;
  Complaints complaints(as.most_bad);
  const PostSink sink{
      .post = [&](load::SourcePost&& post, const InputPlace&) -> std::optional<std::string> {
        all.posts.push_back(std::move(post));
        return std::nullopt;
      },
      .user = [](load::SourceUser&&) {},
      .ids = as.ids};
  OpenText open(std::move(text));
  PostReader reader(PostFormat::kAuto, complaints.bad, sink, std::move(as.layout));
  const PostsRead read = reader.read(open.buffer(), "f", Unknown::kRefused);
  CHECK(read.posts == all.posts.size());
  all.bad = complaints.lines;
  all.notes = complaints.notes;
  return all;
}

std::string complaint_of(const std::function<void()>& read) {
  const auto error = thrown_by(read);
  if (!error) return {};
  CHECK(error->code() == ErrorCode::kBadInput);
  return error->what();
}

std::string packed(std::string_view text, Packing packing) {
  Packer packer;
  archive* const a = packer.get();
  REQUIRE(archive_write_set_format_raw(a) == ARCHIVE_OK);
  switch (packing) {
    case Packing::kGzip:
      REQUIRE(archive_write_add_filter_gzip(a) == ARCHIVE_OK);
      break;
    case Packing::kZstd:
      REQUIRE(archive_write_add_filter_zstd(a) == ARCHIVE_OK);
      break;
    case Packing::kBzip2:
      REQUIRE(archive_write_add_filter_bzip2(a) == ARCHIVE_OK);
      break;
    case Packing::kXz:
      REQUIRE(archive_write_add_filter_xz(a) == ARCHIVE_OK);
      break;
  }
  packer.open();
  packer.add("text", text);
  return packer.finish();
}

std::string wrapped(const Members& members, Wrapping wrapping) {
  Packer packer;
  REQUIRE((wrapping == Wrapping::kTar ? archive_write_set_format_ustar(packer.get())
                                      : archive_write_set_format_zip(packer.get())) == ARCHIVE_OK);
  packer.open();
  for (const auto& [name, contents] : members) packer.add(name, contents);
  return packer.finish();
}

std::string stored_zip(const Members& members) {
  Packer packer;
  REQUIRE(archive_write_set_format_zip(packer.get()) == ARCHIVE_OK);
  REQUIRE(archive_write_zip_set_compression_store(packer.get()) == ARCHIVE_OK);
  packer.open();
  for (const auto& [name, contents] : members) packer.add(name, contents);
  return packer.finish();
}

}  // namespace chirp::test
