import Synchronization

/// Numbers by which observers are told apart as long as the process runs.
package enum ObserverSerial {
    private static let taken = Atomic<UInt64>(0)

    /// The first of 64 numbers that were never given before: a chunk of entries takes them for all that it will have, and whatever
    /// else is told apart from entries takes them for itself.
    ///
    /// Relaxed: a number is only told apart from others by it.
    package static func next() -> UInt64 { taken.wrappingAdd(64, ordering: .relaxed).newValue }
}
