import CTidingsSystem

/// A moment of the continuous clock, in nanoseconds: where the system is known, two of them, and their difference, cost half of
/// what those of `ContinuousClock` do, whose instants have no layout that the compiler knows.
package enum Moment {
    #if SYSTEM_CLOCK
        package static var now: Int64 { tidings_now() }

        /// A moment that is exact to some milliseconds, and costs a fifth. It is compared with others of its kind alone.
        package static var coarse: Int64 { tidings_coarse_now() }
    #else
        private static let origin = ContinuousClock.now

        package static var now: Int64 {
            let (seconds, attoseconds) = origin.duration(to: .now).components
            return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
        }

        package static var coarse: Int64 { now }
    #endif
}
