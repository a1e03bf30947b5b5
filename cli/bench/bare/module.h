// The exported functions of the bare server's module.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// Returns null if there is no free port.
void* chirp_bare_start(const char* path, const char* body, std::size_t body_size, unsigned threads,
                       std::uint16_t* port);
void chirp_bare_stop(void* started);
}
