#include "signal.hpp"

void cxx_free(cxx_signal *signal) {
    delete signal;
}

void cxx_add(cxx_signal *signal, int64_t index) {
    signal->add(index);
}

void cxx_add_and_cancel(cxx_signal *signal, int64_t times) {
    signal->add_and_cancel(times);
}

void cxx_post(cxx_signal *signal, int64_t times, int64_t *sink) {
    signal->post(times, sink);
}
