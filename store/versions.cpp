#include "store/versions.h"

#include <idn2.h>
#include <openssl/opensslv.h>

#include <crypt.h>
#include <fmt/format.h>
#include <lmdb.h>
#include <sqlite3.h>
#include <xxhash.h>

namespace chirp::store {

std::vector<std::pair<std::string, std::string>> library_versions() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  ::mdb_version(&major, &minor, &patch);
  const unsigned hash = ::XXH_versionNumber();
  return {
      {"SQLite", ::sqlite3_libversion()},
      {"LMDB", fmt::format("{}.{}.{}", major, minor, patch)},
      {"libpq", CHIRP_LIBPQ_VERSION},
      {"libxcrypt", XCRYPT_VERSION_STR},
      {"OpenSSL", OPENSSL_VERSION_STR},
      {"libidn2", IDN2_VERSION},
      {"xxHash", fmt::format("{}.{}.{}", hash / 10000, hash / 100 % 100, hash % 100)},
  };
}

}  // namespace chirp::store
