import CTidingsSystem

/// The thread that asks.
package enum CallingThread {
    /// A number that no other thread has while this one runs; not 0.
    package static var number: UInt { unsafe UInt(bitPattern: tidings_thread_post()) }

    /// Sleeps for a short time, some ten microseconds on most systems; on a system that is not known, not at all.
    package static func rest() { tidings_rest() }
}
