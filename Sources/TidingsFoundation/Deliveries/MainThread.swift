import Foundation

/// Tells whether code runs on the main actor, without the trap of asserting it.
enum MainThread {
    /// Whether the main actor may be assumed: on the main thread, or on the main dispatch queue.
    ///
    /// After the first `await` of an asynchronous `main`, Linux serves the main queue from another thread; before it, and in
    /// a synchronous `main`, the main thread runs code that is in no queue. So it takes both questions.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark: DispatchSpecificKey<Void> = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()
}
