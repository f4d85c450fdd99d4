extension NotificationFailure {
    /// What follows an error after which the observer is called again with the notification: see
    /// ``FailureResponse/retry(after:then:keepingOrder:clock:)``.
    public struct Retry: Hashable, Sendable {
        /// The number of the call that threw. The first call has the number 1.
        @export(implementation) public let attempt: Int

        /// How many calls there are at most.
        @export(implementation) public let attempts: Int

        /// How long the notification waits until the next call.
        @export(implementation) public let delay: Duration

        /// What follows if the last call throws, too.
        @export(implementation) public let lastResponse: LastResponse

        /// What follows when the last call throws.
        @nonexhaustive
        public enum LastResponse: String, Hashable, Sendable, CaseIterable {
            /// The notification is given up.
            case giveUp = "the notification is given up"
            /// The observation ends.
            case endObservation = "the observation ends"
            /// A closure is called with the error.
            case callClosure = "a closure is called"
        }

        init(attempt: Int, attempts: Int, delay: Duration, lastResponse: LastResponse) {
            self.attempt = attempt
            self.attempts = attempts
            self.delay = delay
            self.lastResponse = lastResponse
        }
    }
}

/// An error after which the observer is called again, on its way to the monitors.
struct RetriedError: Error {
    let error: any Error
    let retry: NotificationFailure.Retry

    init(_ error: any Error, _ retry: NotificationFailure.Retry) {
        self.error = error
        self.retry = retry
    }
}
