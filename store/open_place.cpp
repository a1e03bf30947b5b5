// What is at a place: a folder or a database.
#include <filesystem>
#include <memory>
#include <system_error>

#include "store/data_directory.h"
#include "store/database.h"

namespace chirp::store {

std::unique_ptr<DataDirectory> DataDirectory::open(const DataPlace& place) {
  return place.is_database() ? open_database(place) : open(place.folder());
}

bool is_made(const DataPlace& place) {
  std::error_code unknown;
  return place.is_database() ? is_made_database(place)
                             : std::filesystem::exists(place.folder(), unknown);
}

}  // namespace chirp::store
