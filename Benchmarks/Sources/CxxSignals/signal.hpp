#pragma once

#include "CxxSignals.h"

struct cxx_signal {
    virtual ~cxx_signal() = default;
    virtual void add(int64_t index) = 0;
    virtual void add_and_cancel(int64_t times) = 0;
    virtual void post(int64_t times, int64_t *sink) = 0;
};
