#include "cli/status.h"

namespace chirp::cli {

Status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return Status::kUsage;
    case ErrorCode::kNotFound:
      return Status::kNotFound;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kForbidden:
    case ErrorCode::kNotLetIn:
    case ErrorCode::kConflict:
      return Status::kRefused;
    case ErrorCode::kUnavailable:
    case ErrorCode::kStorageFull:
    case ErrorCode::kReadOnly:
    case ErrorCode::kIo:
    case ErrorCode::kCorrupt:
    case ErrorCode::kVersion:
    case ErrorCode::kBadInput:
    case ErrorCode::kInternal:
      return Status::kFailed;
  }
  return Status::kFailed;
}

}  // namespace chirp::cli
