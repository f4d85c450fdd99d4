#pragma once

#include <cstdint>

/// A handler with its own constant, so that the optimizer can't merge the handlers.
template <int own>
struct handler {
    int64_t index;
    void operator()(int64_t *sink) const { *sink += index ^ (81 + own); }
};

struct idle_handler {
    void operator()(int64_t *) const {}
};

/// There are as many kinds of handlers as in Swift.
template <typename Connect>
void with_handler(int64_t index, Connect connect) {
    switch (index & 7) {
        case 0: return connect(handler<0>{index});
        case 1: return connect(handler<1>{index});
        case 2: return connect(handler<2>{index});
        case 3: return connect(handler<3>{index});
        case 4: return connect(handler<4>{index});
        case 5: return connect(handler<5>{index});
        case 6: return connect(handler<6>{index});
        default: return connect(handler<7>{index});
    }
}
