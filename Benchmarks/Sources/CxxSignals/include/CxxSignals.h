#ifndef CXX_SIGNALS_H
#define CXX_SIGNALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A signal of a C++ library.
typedef struct cxx_signal cxx_signal;

/// Makes a signal of Boost.Signals2; null where its headers were not installed.
cxx_signal *cxx_make_boost(void);

/// Makes a signal of libsigc++ 3; null where its headers were not installed.
cxx_signal *cxx_make_sigc(void);

/// Lets a signal go.
void cxx_free(cxx_signal *signal);

/// Connects the handler with a number: those of `handler.hpp`, which count as the Swift ones do.
void cxx_add(cxx_signal *signal, int64_t index);

/// Connects a handler that captures nothing and counts nothing, and disconnects it, again and again.
void cxx_add_and_cancel(cxx_signal *signal, int64_t times);

/// Emits the signal again and again; the handlers count into the sink.
void cxx_post(cxx_signal *signal, int64_t times, int64_t *sink);

#ifdef __cplusplus
}
#endif

#endif
