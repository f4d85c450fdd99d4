public import Foundation

// Asynchronous deliveries of what a descriptor describes. Each is the delivery of the same name that every center has, on a center
// that delivers the payloads of one descriptor.

extension NotificationCenter {
    /// Calls a closure, which may await and throw, inside an actor with the payload of every notification that a
    /// descriptor describes, one at a time, in the order posted.
    ///
    /// A notification that cannot be decoded is left out and reported, see ``NotificationReport``. The next payload waits until the
    /// closure has returned for this one; the actor is re-entrant meanwhile.
    ///
    /// ```swift
    /// center.addObserver(on: downloads, descriptor: DownloadFinished()) { downloads, payload in downloads.add(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor, held weakly and handed in, isolated.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @discardableResult
    public func addObserver<A: Actor, D: NotificationDescriptor>(
        on actor: A, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (isolated A, D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                on: actor, for: Described<D>.self, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { actor, note in
                try await observer(actor, note.payload)
            }
    }

    /// Calls a closure, which may await and throw, on the main actor with the payload of every notification that a descriptor
    /// describes, asynchronously.
    ///
    /// ```swift
    /// center.addObserver(on: .main, descriptor: DownloadFinished()) { payload in label.text = payload.file.name }
    ///     .store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
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
    public func addObserver<D: NotificationDescriptor>(
        on delivery: MainActorDelivery, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                on: delivery, for: Described<D>.self, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { note in
                try await observer(note.payload)
            }
    }

    /// Calls a closure, which may await and throw, on the main actor with its owner and the payload of every notification that a
    /// descriptor describes, asynchronously, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - delivery: `.main`.
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
    public func addObserver<Owner: AnyObject & Sendable, D: NotificationDescriptor>(
        _ owner: Owner, on delivery: MainActorDelivery, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                owner, on: delivery, for: Described<D>.self, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { owner, note in
                try await observer(owner, note.payload)
            }
    }

    /// Calls an asynchronous closure, which may throw, with the payload of every notification that a descriptor describes, one at
    /// a time, in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
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
    public func addObserver<D: NotificationDescriptor>(
        on delivery: TaskDelivery, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                on: delivery, for: Described<D>.self, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { note in
                try await observer(note.payload)
            }
    }
}
