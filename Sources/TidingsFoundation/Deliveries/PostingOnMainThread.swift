import Foundation

extension TypedNotificationCenter {
    /// Posts a notification on the main thread, and waits until the post has called its observers.
    ///
    /// On another thread, the method blocks until the main thread has posted, like `DispatchQueue.main.sync`. Use it in
    /// synchronous code whose caller relies on the observers having been called on the main thread:
    ///
    /// ```swift
    /// center.postOnMainThread(EpisodeAdded(number: 7))  // from any thread
    /// ```
    ///
    /// If the main thread is waiting for this thread, with a lock, a semaphore or `sync`, the call deadlocks. The call
    /// also never returns in a program that runs neither the main run loop nor the main queue. In an asynchronous
    /// function, write `await MainActor.run { … }`, which blocks no thread.
    ///
    /// - Parameters:
    ///   - notification: The notification. If it isn't `Sendable`, the caller can't use it afterwards.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers that were called.
    @available(*, noasync, message: "write 'await MainActor.run { center.post(…) }', which blocks no thread")
    @discardableResult
    public func postOnMainThread<N: TypedNotification>(
        _ notification: sending N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        let place = SourcePlace(fileID: fileID, line: line)
        if MainThread.isCurrent { return post(notification, from: place) }
        return DispatchQueue.main.sync { post(notification, from: place) }
    }

    /// Posts a main-actor notification on the main thread, and waits until the post has called its observers.
    ///
    /// - Parameters:
    ///   - notification: The notification. If it isn't `Sendable`, the caller can't use it afterwards.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers that were called.
    @available(*, noasync, message: "write 'await MainActor.run { center.post(…) }', which blocks no thread")
    @discardableResult
    public func postOnMainThread<N: MainActorNotification>(
        _ notification: sending N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        // The parameter is `sending`, and the notification is only used on the main actor.
        nonisolated(unsafe) let notification = notification
        func postHere() -> Int {
            MainActor.assumeIsolated { unsafe post(notification, fileID: fileID, line: line) }
        }
        return MainThread.isCurrent ? postHere() : DispatchQueue.main.sync { postHere() }
    }
}
