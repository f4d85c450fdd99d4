import TidingsEngine

extension NotificationPost {
    /// The identity of a post that is reported to monitors. It is unique in the process, and printed in hexadecimal.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        let number: UInt64

        package init(number: UInt64) { self.number = number }

        /// The post that this thread is making, if the post is reported to monitors. While a monitor receives `queued`
        /// or `dropped`, this is the post of the queued or dropped notification.
        package static var ofThread: ID? {
            let number = NumberedPost.current
            return number == 0 ? nil : ID(number: number)
        }

        /// The number of the post in hexadecimal.
        public var description: String { String(number, radix: 16) }
    }
}

extension NotificationDelivery {
    /// The identity of a delivery. It is unique in the process, and printed as the post and a number: `1f.3`.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        let numbers: NumberedDelivery

        init(_ numbers: NumberedDelivery) { self.numbers = numbers }

        package init?(known numbers: NumberedDelivery) {
            if numbers == .none { return nil }
            self.numbers = numbers
        }

        /// The post that is delivered.
        public var post: NotificationPost.ID { NotificationPost.ID(number: numbers.post) }

        /// The number of the post in hexadecimal, and the number of the delivery among those of the post.
        public var description: String { "\(post).\(numbers.delivery)" }
    }
}

@usableFromInline
struct MonitoredTask: Sendable {
    var isCausedByMonitor = false
    var delivery = NumberedDelivery.none

    /// One task-local value holds both properties, because reading one takes as long as calling five observers.
    static var current: MonitoredTask { local.get() }

    /// Declared without `@TaskLocal`, because inlined code can't use what the macro declares.
    @usableFromInline static let local = TaskLocal(wrappedValue: MonitoredTask())
}

extension NumberedPost {
    var id: NotificationPost.ID { NotificationPost.ID(number: number) }

    var causeID: NotificationDelivery.ID? { NotificationDelivery.ID(known: cause) }
}
