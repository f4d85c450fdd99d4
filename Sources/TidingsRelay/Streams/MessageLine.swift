struct MessageLine: Sendable {
    struct Item: Sendable {
        let number: UInt64
        fileprivate(set) var message: RelayMessage
        let destination: Destination
        let isAwaited: Bool
        fileprivate(set) var isSent = false
        /// `nil` once the message is stored or rejected.
        fileprivate var settle: SendBuffer.Settle?
        /// The time at which the stream stored the message, if it is sent again because the stream may have lost it.
        fileprivate(set) var storedAt: Duration?

        var bytes: Int { message.subject.utf8.count + message.size }

        var stream: String { destination.stream }

        init(
            _ number: UInt64, _ message: consuming RelayMessage, to destination: consuming Destination, isAwaited: Bool,
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
    /// The index of the next message to consider. All messages before it are in flight, settled or paused.
    private var next = 0
    private(set) var nextNumber: UInt64 = 0
    /// The number of unsettled messages, and their size in bytes. Doesn't include ``restored``.
    private(set) var count = 0
    private(set) var bytes = 0
    /// The number of unsettled messages that are sent again, because their stream may have lost them.
    private(set) var restored = 0
    private(set) var sent = 0

    var isEmpty: Bool { count + restored == 0 }

    /// Adds a message, whose number must be ``nextNumber``.
    mutating func append(_ item: consuming Item) {
        nextNumber += 1
        count += 1
        bytes += item.bytes
        items.append(item)
    }

    func index(of number: UInt64) -> Int? {
        guard head < items.count, number >= items[head].number, number < nextNumber else { return nil }
        // `high` is the index if no message in between was removed. Otherwise it is an upper bound.
        var (low, high) = (head, min(items.count - 1, head + Int(number - items[head].number)))
        if items[high].number == number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if items[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return items[low].number == number && items[low].settle != nil ? low : nil
    }

    func first(where isMeant: (Item) -> Bool) -> Int? {
        items[head...].firstIndex { $0.settle != nil && isMeant($0) }
    }

    func numbers(where isMeant: (Item) -> Bool) -> [UInt64] {
        items[head...].filter { $0.settle != nil && isMeant($0) }.map(\.number)
    }

    mutating func next(atMost most: Int) -> Int? {
        while next < items.count, sent < most {
            defer { next += 1 }
            if items[next].settle != nil, !items[next].isSent { return next }
        }
        return nil
    }

    mutating func rewind() { next = head }

    mutating func noteSent(_ index: Int) {
        items[index].isSent = true
        sent += 1
    }

    mutating func noteUnsent(_ index: Int) {
        if !items[index].isSent { return }
        items[index].isSent = false
        sent -= 1
    }

    mutating func takeBack(_ isMeant: (Item) -> Bool) {
        for index in head..<items.count where items[index].isSent && isMeant(items[index]) {
            items[index].isSent = false
            if items[index].settle != nil { sent -= 1 }
        }
    }

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
        // On average, this moves each message once. Gaps exist if the first message waits for its stream.
        if items.count > 2048, (count + restored) * 2 < items.count {
            next = items[head..<next].count { $0.settle != nil }
            items = items[head...].filter { $0.settle != nil }
            head = 0
        }
        return (item, settle)
    }
}

struct Destination: Sendable {
    /// Empty if no route of this program stores the type.
    var stream = ""
    var waitsWhenFull = true
    /// A row of a table isn't dropped for a new message, because the relay would read the row again.
    var isDroppable = true
}
