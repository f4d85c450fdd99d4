import CxxSignals

/// A signal of a C++ library. Its handlers and loops are written in C++.
@safe
final class CxxSignal: Signal, @unchecked Sendable {  // threads share it only if `Peer.isThreadSafe`
    enum Library: String {
        case boost = "libboost-dev"
        case sigc = "libsigc++-3.0-dev"

        var package: String { rawValue }
    }

    private let signal: OpaquePointer
    private let library: Library

    /// Creates a signal, or returns `nil` if the library's headers weren't found during the build.
    init?(_ library: Library) {
        // Only this object uses the signal, and `deinit` frees it.
        let made = unsafe library == .boost ? cxx_make_boost() : cxx_make_sigc()
        guard let signal = unsafe made else { return nil }
        unsafe self.signal = unsafe signal
        self.library = library
    }

    // Each call below passes the pointer that `init` created and only `deinit` frees.

    deinit { unsafe cxx_free(signal) }

    func add(handlers count: Int) {
        for index in 0..<count { unsafe cxx_add(signal, Int64(index)) }
    }

    func reserve(_ count: Int) {}

    func addAndCancel(_ times: Int) { unsafe cxx_add_and_cancel(signal, Int64(times)) }

    func post(_ times: Int, to sink: Sink) {
        // An `Int` has 64 bits on every platform that runs this.
        unsafe sink.pointer.withMemoryRebound(to: Int64.self, capacity: 1) { unsafe cxx_post(signal, Int64(times), $0) }
    }

    func sibling() -> any Signal {
        guard let sibling = CxxSignal(library) else {
            preconditionFailure("the library is available, because it has already created a signal")
        }
        return sibling
    }
}
