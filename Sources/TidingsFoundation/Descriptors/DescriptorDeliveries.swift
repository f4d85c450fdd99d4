public import Foundation
public import Tidings

// What a descriptor describes, after the post: the deliveries that every center has for notification types, with payloads. They take
// descriptors of both kinds.

extension NotificationCenter {
    /// Calls a closure elsewhere with the payload of each notification that a descriptor describes, after the post, one at a time, in
    /// the order posted.
    ///
    /// A notification that cannot be decoded is left out and reported, see ``NotificationReport``.
    ///
    /// ```swift
    /// center.addObserver(on: .main, descriptor: DownloadFinished()) { payload in label.text = payload.file.name }
    ///     .store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: Where the observer runs: `.main`, `.task`, or `.queue(_:)`. It decides what the closure looks like: see `Delivery`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: NotificationDescribing, Handler: Sendable>(
        on delivery: Delivery<D.Payload, Handler>, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: Handler
    ) -> NotificationToken where D.Payload: Sendable {
        let registration = AsynchronousRegistration<D.Payload>(
            delivery.mode, where: condition, buffering: policy, onFailure: response, fileID, line
        ) { registration, receive in
            self.observe(described: descriptor, object: object, registration: registration, using: receive)
        }
        return delivery.register(registration, ObserverClosure(observer))
    }

    /// Calls a closure elsewhere with its owner and the payload of each notification that a descriptor describes, after the post, one
    /// at a time, in the order posted, for as long as the owner lives.
    ///
    /// ```swift
    /// center.addObserver(self, on: .main, descriptor: ScreenNotification.moved) { me, payload in me.move(to: payload) }
    /// center.addObserver(downloads, on: .actor, descriptor: DownloadFinished()) { me, payload in me.add(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in. An actor is an owner.
    ///   - delivery: Where the observer runs: `.main`, `.actor`, or `.queue(_:)`. It decides what the closure looks like: see
    ///     `OwnerDelivery`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: NotificationDescribing, Handler: Sendable>(
        _ owner: Owner, on delivery: OwnerDelivery<Owner, D.Payload, Handler>, descriptor: D,
        object: (any Sendable)? = nil, where condition: (@Sendable (D.Payload) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: Handler
    ) -> NotificationToken where D.Payload: Sendable {
        let registration = AsynchronousRegistration<D.Payload>(
            delivery.mode, where: condition, buffering: policy, onFailure: response, fileID, line
        ) { registration, receive in
            self.observe(described: descriptor, object: object, registration: registration, using: receive)
        }
        return delivery.register(registration, owner, ObserverClosure(observer))
    }

    /// The payloads of the notifications that a descriptor describes, as an asynchronous sequence, which can be read anywhere.
    ///
    /// Observing starts now, not with the loop. A notification that cannot be decoded is left out and reported, see
    /// ``NotificationReport``.
    ///
    /// ```swift
    /// for await payload in center.notifications(descriptor: KeyboardNotification.willShow) { ... }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the sequence is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the sequence is to have a payload, asked in the post; `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than an iterator takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which is the lifetime of the observation.
    public func notifications<D: NotificationDescribing>(
        descriptor: D, object: (any Sendable)? = nil, where condition: (@Sendable (D.Payload) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<D.Payload> where D.Payload: Sendable {
        NotificationSequence(buffering: policy, where: condition, fileID, line) { registration, put in
            observe(described: descriptor, object: object, registration: registration, using: put)
        }
    }

    /// Waits for the payload of the first notification that a descriptor describes and that is posted from now on.
    ///
    /// ```swift
    /// let payload = await center.first(descriptor: KeyboardNotification.didShow, within: .seconds(30))
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender that counts; `nil` for every sender.
    ///   - limit: How long to wait, counted from when `cause` begins; `nil` for as long as it takes.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Whether a payload is the one. By default, any is. A closure without a label is this one.
    ///   - cause: What leads to the notification, if you do: it runs while this observes, and to its end, also if the notification
    ///     comes before.
    /// - Returns: The payload; `nil` if the task was cancelled or the time is over.
    public func first<D: NotificationDescribing, C: Clock>(
        descriptor: D, object: (any Sendable)? = nil, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (D.Payload) -> Bool = { _ in true },
        performing cause: () async -> Void = {}
    ) async -> D.Payload? where D.Payload: Sendable, C.Duration == Duration {
        await notifications(descriptor: descriptor, object: object, fileID: fileID, line: line)
            .first(within: limit, clock: clock, where: predicate, performing: cause)
    }
}
