/// The messages of a send buffer in the order of their numbers: part of a state machine.
struct MessageLine: Sendable {
    struct Item: Sendable {
        let number: UInt64
        fileprivate(set) var message: RelayMessage
        let destination: Destination
        /// Whether a task waits for the message.
        let isAwaited: Bool
        fileprivate(set) var isSent = false
        /// `nil` once the message is stored or rejected.
        fileprivate var settle: SendBuffer.Settle?
        /// The time at which the stream stored the message, if the message is sent again because it may be lost.
        fileprivate(set) var storedAt: Duration?

        /// The bytes that count towards the limit.
        var bytes: Int { message.subject.utf8.count + message.size }

        var stream: String { destination.stream }

        init(
            _ number: UInt64, _ message: consuming RelayMessage, to destination: consuming Destination,
            isAwaited: Bool,
            _ settle: @escaping SendBuffer.Settle
        ) {
            self.number = number
            self.message = message
            self.destination = destination
            self.isAwaited = isAwaited
            self.settle = settle
        }
    }

    private(set) var items: [Item] = []
    /// The index of the first message that isn't settled.
    private var head = 0
    /// The index from which the next message to send is searched. All messages before it are in flight, settled, or
    /// paused.
    private var next = 0
    private(set) var nextNumber: UInt64 = 0
    /// The number of messages that aren't settled, and their size in bytes, without ``restored``.
    private(set) var count = 0
    private(set) var bytes = 0
    /// The number of messages that aren't settled, and that a stream has stored before.
    private(set) var restored = 0
    /// The number of messages in flight, and of messages that were sent again.
    private(set) var sent = 0
    private(set) var resent = 0

    /// Whether all messages are settled.
    var isEmpty: Bool { count + restored == 0 }

    /// Adds a message, whose number must be ``nextNumber``.
    mutating func append(_ item: consuming Item) {
        nextNumber += 1
        count += 1
        bytes += item.bytes
        items.append(item)
    }

    /// Returns the index of a message, or `nil` if it is settled.
    func index(of number: UInt64) -> Int? {
        guard head < items.count, number >= items[head].number, number < nextNumber else { return nil }
        // This is the index if no message in between was removed. Otherwise it is an upper bound.
        var (low, high) = (head, min(items.count - 1, head + Int(number - items[head].number)))
        if items[high].number == number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return items[low].number == number && items[low].settle != nil ? low : nil
    }

    /// Returns the index of the first unsettled message that meets a condition.
    func first(where isMeant: (Item) -> Bool) -> Int? {
        items[head...].firstIndex { $0.settle != nil && isMeant($0) }
    }

    /// Returns the numbers of the unsettled messages that meet a condition.
    func numbers(where isMeant: (Item) -> Bool) -> [UInt64] {
        items[head...].filter { $0.settle != nil && isMeant($0) }.map(\.number)
    }

    /// Returns the index of the next message to send, unless too many are in flight.
    mutating func next(atMost most: Int) -> Int? {
        while next < items.count, sent < most {
            defer { next += 1 }
            if items[next].settle != nil, !items[next].isSent { return next }
        }
        return nil
    }

    /// Restarts the search for the next message to send.
    mutating func rewind() { next = head }

    mutating func noteSent(_ index: Int) {
        items[index].isSent = true
        sent += 1
    }

    /// Records that a message is no longer in flight, because its stream can't accept it.
    mutating func noteUnsent(_ index: Int) {
        if !items[index].isSent { return }
        items[index].isSent = false
        sent -= 1
    }

    /// Marks messages in flight as to be sent again.
    mutating func takeBack(_ isMeant: (Item) -> Bool) {
        for index in head..<items.count where items[index].isSent && isMeant(items[index]) {
            items[index].isSent = false
            if items[index].settle == nil { continue }
            sent -= 1
            resent += 1
        }
    }

    /// Adds messages again, in the order of their numbers.
    mutating func restore(_ stored: [StoredMessages.Message]) {
        if stored.isEmpty { return }
        let again = stored.map { message in
            var item = message.item
            (item.isSent, item.settle, item.storedAt) = (false, { _ in }, message.time)
            return item
        }
        items = (items[head...].filter { $0.settle != nil } + again).sorted { $0.number < $1.number }
        (head, next) = (0, 0)
        restored += again.count
    }

    /// Removes a message that is stored or rejected. Returns it with the closure to call with the result, or `nil` if
    /// it was removed before.
    mutating func remove(_ index: Int) -> (item: Item, settle: SendBuffer.Settle)? {
        guard let settle = items[index].settle.take() else { return nil }
        let item = items[index]
        if item.storedAt == nil {
            count -= 1
            bytes -= item.bytes
        } else {
            restored -= 1
        }
        if items[index].isSent { sent -= 1 }
        items[index].message = RelayMessage("")
        while head < items.count, items[head].settle == nil { head += 1 }
        next = max(next, head)
        // Each message is moved once on average. There are gaps if the first message waits for its stream.
        if items.count > 2048, (count + restored) * 2 < items.count {
            next = items[head..<next].count { $0.settle != nil }
            items = items[head...].filter { $0.settle != nil }
            head = 0
        }
        return (item, settle)
    }
}

struct Destination: Sendable {
    /// Empty if it isn't known, because no route of this program stores the type.
    var stream = ""
    /// Whether the message waits while the stream is full, rather than being rejected.
    var waitsWhenFull = true
    /// Whether the message may be dropped for a new one. Rows of a table may not, because they would be read again.
    var isDroppable = true
}
