#include "server/api/keyed_digest.h"

#include <sys/random.h>

#include "core/error.h"

namespace chirp::api {
namespace {

SipKey random_key() {
  SipKey key{};
  if (::getrandom(key.data(), sizeof key, 0) != static_cast<ssize_t>(sizeof key)) {
    throw Error(ErrorCode::kUnavailable, "The system gave no random numbers. Try again.");
  }
  return key;
}

}  // namespace

KeyedDigest::KeyedDigest() : key_(random_key()), wide_key_(random_key()) {}

}  // namespace chirp::api
