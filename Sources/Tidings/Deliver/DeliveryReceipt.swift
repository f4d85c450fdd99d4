/// The result of posting a notification with `deliver`.
///
/// The counts include indirect calls, which result from posts that observers made while they ran, to any depth.
public struct DeliveryReceipt: Hashable, Sendable {
    /// The number of observers that the post reached, including sequences, and observers whose owner was deallocated.
    @export(implementation) public let observers: Int

    /// The number of calls of asynchronous observers that have run, including calls that threw an error.
    @export(implementation) public let asynchronousCalls: Int

    /// The number of calls of asynchronous observers that won't run, because their notifications were dropped or their
    /// observations ended.
    @export(implementation) public let discardedCalls: Int

    /// Whether every call had run or was discarded when the wait ended. A cancelled task or the time limit ends the
    /// wait early, and the delivery doesn't wait for a call that itself waits for the caller.
    @export(implementation) public let isComplete: Bool

    /// The calls that threw an error, in the order in which they ended.
    @export(implementation) public let failures: [Failure]

    /// The observers that hadn't finished when the wait ended, in the order in which they were reached.
    @export(implementation) public let unfinished: [Observer]
}

extension DeliveryReceipt {
    /// An asynchronous observer, as named in a receipt. It keeps nothing alive.
    public struct Observer: Sendable {
        private let type: Any.Type

        /// The notification type.
        public var subject: NotificationSubject { NotificationSubject(type) }

        /// The context in which the observer runs, such as an actor, the main actor or a task.
        @export(implementation) public let delivery: DeliveryMode

        /// The file and line at which the observer was registered.
        @export(implementation) public let place: SourcePlace

        @usableFromInline
        package init(of type: Any.Type, _ delivery: DeliveryMode, from place: SourcePlace) {
            self.type = type
            self.delivery = delivery
            self.place = place
        }
    }

    /// A call of an asynchronous observer that threw an error.
    public struct Failure: Sendable {
        /// The error.
        @export(implementation) public let error: any Error

        /// The observer.
        @export(implementation) public let observer: Observer

        /// The file and line at which the observer was registered.
        public var place: SourcePlace { observer.place }
    }
}

extension DeliveryReceipt.Observer: Hashable, CustomStringConvertible {
    /// Compares the notification types, the delivery modes and the places.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.type == rhs.type && lhs.delivery == rhs.delivery && lhs.place == rhs.place
    }

    /// Hashes the notification type, the delivery mode and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(delivery)
        hasher.combine(place)
    }

    /// The notification type, the delivery mode and the place of the registration, in one phrase.
    public var description: String { "\(subject), \(delivery), registered at \(place)" }
}

extension DeliveryReceipt.Failure: Hashable, CustomStringConvertible {
    /// Compares the observers, and the errors by their types and descriptions.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.observer == rhs.observer && type(of: lhs.error) == type(of: rhs.error)
            && String(describing: lhs.error) == String(describing: rhs.error)
    }

    /// Hashes the observer and the type of the error.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(observer)
        hasher.combine(ObjectIdentifier(type(of: error)))
    }

    /// The error and the observer, in one sentence.
    public var description: String { "an observer threw \(error): \(observer)" }
}
