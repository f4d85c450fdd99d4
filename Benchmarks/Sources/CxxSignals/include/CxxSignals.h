#ifndef CXX_SIGNALS_H
#define CXX_SIGNALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A signal of a C++ library.
typedef struct cxx_signal cxx_signal;

/// Creates a signal of Boost.Signals2, or returns null if its headers weren't installed.
cxx_signal *cxx_make_boost(void);

/// Creates a signal of libsigc++ 3, or returns null if its headers weren't installed.
cxx_signal *cxx_make_sigc(void);

/// Frees a signal.
void cxx_free(cxx_signal *signal);

/// Connects the handler of the given index. The handlers are in `handler.hpp` and count like the Swift ones.
void cxx_add(cxx_signal *signal, int64_t index);

/// Repeatedly connects and disconnects a handler that captures nothing and counts nothing.
void cxx_add_and_cancel(cxx_signal *signal, int64_t times);

/// Repeatedly emits the signal. The handlers count into the sink.
void cxx_post(cxx_signal *signal, int64_t times, int64_t *sink);

#ifdef __cplusplus
}
#endif

#endif
