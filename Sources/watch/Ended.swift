import Tidings

/// A source came to its end; every line of it was posted before.
struct Ended: TypedNotification, Sendable {
    let sender: any LineSource
    let ending: Ending
    /// When it ended.
    let time: ContinuousClock.Instant
}
