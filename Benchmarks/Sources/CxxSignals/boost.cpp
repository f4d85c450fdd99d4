#include "handler.hpp"
#include "signal.hpp"

#if __has_include(<boost/signals2.hpp>)

#include <boost/signals2.hpp>

namespace {

struct boost_signal final : cxx_signal {
    boost::signals2::signal<void(int64_t *)> signal;

    void add(int64_t index) override {
        with_handler(index, [this](auto handler) { signal.connect(handler); });
    }

    void add_and_cancel(int64_t times) override {
        for (int64_t each = 0; each < times; each++) {
            signal.connect(idle_handler{}).disconnect();
        }
    }

    void post(int64_t times, int64_t *sink) override {
        for (int64_t each = 0; each < times; each++) signal(sink);
    }
};

}  // namespace

cxx_signal *cxx_make_boost(void) {
    return new boost_signal;
}

#else

cxx_signal *cxx_make_boost(void) {
    return nullptr;
}

#endif
