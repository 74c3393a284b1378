/* The content codings of HTTP: gzip and deflate, Brotli, Zstandard. */
#ifndef SCENARIO_CODINGS_H
#define SCENARIO_CODINGS_H

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#endif
