import Tidings

/// A center that counts posts without a lock: a race that the thread sanitizer has to find.
final class RacyCenter: BrokenCenter, @unchecked Sendable {
    // `nonisolated(unsafe)` is wrong here on purpose. The unsynchronized accesses are the race.
    private nonisolated(unsafe) var posts = 0

    override func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        unsafe posts += 1
        return super.post(notification, from: place)
    }
}
