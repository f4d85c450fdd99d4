public import Foundation

// The asynchronous deliveries of what a descriptor describes, with a closure to which errors are handed, in the place of a
// `FailureResponse`.

extension NotificationCenter {
    /// Calls a closure, which may await and throw, inside an actor with the payload of every notification that a
    /// descriptor describes, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - actor: The actor, held weakly and handed in, isolated.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where it runs: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @discardableResult
    public func addObserver<A: Actor, D: NotificationDescriptor>(
        on actor: A, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (isolated A, D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        addObserver(
            on: actor, descriptor: descriptor, object: object, where: condition, buffering: policy,
            onFailure: .call(respond),
            fileID: fileID, line: line, using: observer)
    }

    /// Calls a closure, which may await and throw, on the main actor with the payload of every notification that a descriptor
    /// describes, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where it runs: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: NotificationDescriptor>(
        on delivery: MainActorDelivery, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        addObserver(
            on: delivery, descriptor: descriptor, object: object, where: condition, buffering: policy,
            onFailure: .call(respond),
            fileID: fileID, line: line, using: observer)
    }

    /// Calls a closure, which may await and throw, on the main actor with its owner and the payload of every notification that a
    /// descriptor describes, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - delivery: `.main`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where it runs: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: NotificationDescriptor>(
        _ owner: Owner, on delivery: MainActorDelivery, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        addObserver(
            owner, on: delivery, descriptor: descriptor, object: object, where: condition, buffering: policy,
            onFailure: .call(respond),
            fileID: fileID, line: line, using: observer)
    }

    /// Calls an asynchronous closure, which may throw, with the payload of every notification that a descriptor describes, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where it runs: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: NotificationDescriptor>(
        on delivery: TaskDelivery, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (D.Payload) async throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        addObserver(
            on: delivery, descriptor: descriptor, object: object, where: condition, buffering: policy,
            onFailure: .call(respond),
            fileID: fileID, line: line, using: observer)
    }

    /// Calls a closure, which may throw, on a dispatch or operation queue with the payload of every notification that a descriptor
    /// describes, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where it runs: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<Queue: DeliveryQueue, D: NotificationDescriptor>(
        on queue: Queue, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (D.Payload) throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        addObserver(
            on: queue, descriptor: descriptor, object: object, where: condition, buffering: policy,
            onFailure: .call(respond),
            fileID: fileID, line: line, using: observer)
    }

    /// Calls a closure, which may throw, on a dispatch or operation queue with its owner and the payload of every notification that a
    /// descriptor describes, for as long as the owner lives, and another one with its errors.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where it runs: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, Queue: DeliveryQueue, D: NotificationDescriptor>(
        _ owner: Owner, on queue: Queue, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, D.Payload) throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        addObserver(
            owner, on: queue, descriptor: descriptor, object: object, where: condition, buffering: policy,
            onFailure: .call(respond),
            fileID: fileID, line: line, using: observer)
    }
}
