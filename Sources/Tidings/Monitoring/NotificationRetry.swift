extension NotificationFailure {
    /// The retry after an error of an observer: see ``FailureResponse/retry(after:then:keepingOrder:clock:)``.
    public struct Retry: Hashable, Sendable {
        /// The number of the call that threw. The first call has the number 1.
        @export(implementation) public let attempt: Int

        /// The maximum number of calls.
        @export(implementation) public let attempts: Int

        /// The time until the next call.
        @export(implementation) public let delay: Duration

        /// The response if the last call throws as well.
        @export(implementation) public let lastResponse: LastResponse

        /// The possible responses if the last call throws.
        @nonexhaustive
        public enum LastResponse: String, Hashable, Sendable, CaseIterable {
            /// The notification is given up.
            case giveUp = "the notification is given up"
            /// The observation ends.
            case endObservation = "the observation ends"
            /// A closure is called with the error.
            case callClosure = "a closure is called"
        }
    }
}

struct RetriedError: Error {
    let error: any Error
    let retry: NotificationFailure.Retry
}
