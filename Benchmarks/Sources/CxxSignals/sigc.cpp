#include "handler.hpp"
#include "signal.hpp"

#if __has_include(<sigc++/sigc++.h>)

#include <sigc++/sigc++.h>

namespace {

struct sigc_signal final : cxx_signal {
    sigc::signal<void(int64_t *)> signal;

    void add(int64_t index) override {
        with_handler(index, [this](auto handler) { signal.connect(handler); });
    }

    void add_and_cancel(int64_t times) override {
        for (int64_t each = 0; each < times; each++) {
            signal.connect(idle_handler{}).disconnect();
        }
    }

    void post(int64_t times, int64_t *sink) override {
        for (int64_t each = 0; each < times; each++) signal.emit(sink);
    }
};

}  // namespace

cxx_signal *cxx_make_sigc(void) {
    return new sigc_signal;
}

#else

cxx_signal *cxx_make_sigc(void) {
    return nullptr;
}

#endif
