import Tidings

/// Counts posts without a lock: a race for the thread sanitizer to find.
final class RacyCenter: BrokenCenter, @unchecked Sendable {
    // Not right: that is the point.
    private nonisolated(unsafe) var posts = 0

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        unsafe posts += 1
        return super.post(notification, from: place)
    }
}
