public import Foundation
public import Tidings

extension NotificationCenter {
    /// Calls a closure asynchronously with the payload of each matching notification, one at a time, in order.
    ///
    /// A notification that can't be decoded is skipped and reported; see ``NotificationReport``.
    ///
    /// ```swift
    /// center.addObserver(on: .main, descriptor: DownloadFinished()) { payload in label.text = payload.file.name }
    ///     .store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: Where the observer runs: `.main`, `.task` or `.queue(_:)`. See `Delivery`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A payload it rejects isn't queued. `nil` accepts all.
    ///   - policy: How to buffer payloads that arrive faster than the closure handles them.
    ///   - response: The response to an error that the closure throws. The error is always reported as well.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which keeps the observer alive.
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

    /// Calls a closure asynchronously with its owner and the payload of each notification that matches a descriptor.
    /// The observation ends when the owner is deallocated. Payloads are delivered one at a time, in the order posted.
    ///
    /// ```swift
    /// center.addObserver(self, on: .main, descriptor: ScreenNotification.moved) { me, payload in me.move(to: payload) }
    /// center.addObserver(downloads, on: .actor, descriptor: DownloadFinished()) { me, payload in me.add(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and passed to the closure. It can be an actor.
    ///   - delivery: Where the observer runs: `.main`, `.actor` or `.queue(_:)`. See `OwnerDelivery`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A payload it rejects isn't queued. `nil` accepts all.
    ///   - policy: How to buffer payloads that arrive faster than the closure handles them.
    ///   - response: The response to an error that the closure throws. The error is always reported as well.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token that can end the observation earlier. You can discard it.
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

    /// Returns the payloads of the notifications that match a descriptor as an asynchronous sequence, which observes
    /// from this call on. A notification that can't be decoded is skipped and reported; see ``NotificationReport``.
    ///
    /// ```swift
    /// for await payload in center.notifications(descriptor: KeyboardNotification.willShow) { ... }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the sequence is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A payload it rejects isn't queued. `nil` accepts all.
    ///   - policy: How to buffer payloads that arrive faster than an iterator consumes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The sequence, which keeps the observation alive.
    public func notifications<D: NotificationDescribing>(
        descriptor: D, object: (any Sendable)? = nil, where condition: (@Sendable (D.Payload) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<D.Payload> where D.Payload: Sendable {
        NotificationSequence(buffering: policy, where: condition, fileID, line) { registration, put in
            observe(described: descriptor, object: object, registration: registration, using: put)
        }
    }

    /// Waits for the first notification that matches a descriptor and is posted after the call. Returns its payload.
    ///
    /// ```swift
    /// let payload = await center.first(descriptor: KeyboardNotification.didShow, within: .seconds(30))
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the wait is limited; `nil` for no limit.
    ///   - limit: How long to wait, measured from when `cause` begins; `nil` for no limit.
    ///   - clock: The clock that measures the time.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - predicate: Returns whether a payload matches. By default all do. It can be a trailing closure.
    ///   - cause: Code that triggers the notification. It begins after this method has started to observe. It runs to
    ///     its end, even if the notification arrives earlier.
    /// - Returns: The payload; `nil` if the task was cancelled or the time limit passed.
    public func first<D: NotificationDescribing, C: Clock>(
        descriptor: D, object: (any Sendable)? = nil, within limit: Duration? = nil, clock: C = ContinuousClock(),
        fileID: StaticString = #fileID, line: UInt = #line, where predicate: (D.Payload) -> Bool = { _ in true },
        performing cause: () async -> Void = {}
    ) async -> D.Payload? where D.Payload: Sendable, C.Duration == Duration {
        await notifications(descriptor: descriptor, object: object, fileID: fileID, line: line)
            .first(within: limit, clock: clock, where: predicate, performing: cause)
    }
}
