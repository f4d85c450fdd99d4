import Foundation

extension TypedNotificationCenter {
    /// Posts a notification on the main thread, and returns when its observers in the post have been called.
    ///
    /// On the main thread it posts at once. Elsewhere it blocks this thread until the main thread has made the post, as
    /// `DispatchQueue.main.sync` does, so it is for synchronous code whose caller relies on that, and on the main thread:
    ///
    /// ```swift
    /// center.postOnMainThread(EpisodeAdded(number: 7))  // from any thread
    /// ```
    ///
    /// If the main thread waits for this thread, by a lock, a semaphore or `sync`, both wait for ever. A program without a main run loop
    /// or main queue never makes the post. In an asynchronous function write `await MainActor.run { … }`, which blocks no thread.
    ///
    /// - Parameters:
    ///   - notification: The notification. It is handed to the main thread, so it is not used here afterwards unless it is `Sendable`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called.
    @available(*, noasync, message: "write 'await MainActor.run { center.post(…) }', which blocks no thread")
    @discardableResult
    public func postOnMainThread<N: TypedNotification>(
        _ notification: sending N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        let place = SourcePlace(fileID: fileID, line: line)
        if MainThread.isCurrent { return post(notification, from: place) }
        return DispatchQueue.main.sync { post(notification, from: place) }
    }

    /// Posts a main-actor notification on the main thread, and returns when its observers have been called.
    ///
    /// The same holds as for other notifications.
    ///
    /// - Parameters:
    ///   - notification: The notification. It is handed to the main actor, so it is not used here afterwards unless it is `Sendable`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called.
    @available(*, noasync, message: "write 'await MainActor.run { center.post(…) }', which blocks no thread")
    @discardableResult
    public func postOnMainThread<N: MainActorNotification>(
        _ notification: sending N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        // It was sent here, and is used on the main actor alone.
        nonisolated(unsafe) let notification = notification
        func postHere() -> Int {
            MainActor.assumeIsolated { unsafe post(notification, fileID: fileID, line: line) }
        }
        return MainThread.isCurrent ? postHere() : DispatchQueue.main.sync { postHere() }
    }
}
