#ifndef CXX_SIGNALS_H
#define CXX_SIGNALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cxx_signal cxx_signal;

/// Returns null if the headers of Boost.Signals2 weren't installed.
cxx_signal *cxx_make_boost(void);

/// Returns null if the headers of libsigc++ 3 weren't installed.
cxx_signal *cxx_make_sigc(void);

void cxx_free(cxx_signal *signal);

/// The handlers are in `handler.hpp` and count like the Swift ones.
void cxx_add(cxx_signal *signal, int64_t index);

/// The handler captures nothing and counts nothing.
void cxx_add_and_cancel(cxx_signal *signal, int64_t times);

/// The handlers count into the sink.
void cxx_post(cxx_signal *signal, int64_t times, int64_t *sink);

#ifdef __cplusplus
}
#endif

#endif
