struct MessageLine: Sendable {
    /// A message to send. This is a class, because a copy of a structure would retain five objects.
    final class Item: Sendable {
        let message: RelayMessage
        let destination: Destination
        let isAwaited: Bool
        let bytes: Int

        var stream: String { destination.stream }

        init(_ message: consuming RelayMessage, to destination: consuming Destination, isAwaited: Bool) {
            self.message = message
            self.destination = destination
            self.isAwaited = isAwaited
            bytes = self.message.subject.utf8.count + self.message.size
        }
    }

    struct Entry: Sendable {
        let number: UInt64
        /// The message, which is replaced with an empty one once it is stored or rejected.
        fileprivate(set) var item: Item
        fileprivate(set) var isSent = false
        /// The time at which the message was first sent.
        fileprivate(set) var sentAt: Duration?
        /// Receives the result, and is `nil` once the message is stored or rejected.
        fileprivate var settle: SendBuffer.Settle?
        /// The time at which the stream stored the message, if it is sent again because the stream may have lost it.
        fileprivate(set) var storedAt: Duration?
    }

    private static let noItem = Item(RelayMessage(""), to: Destination(), isAwaited: false)

    private(set) var entries: [Entry] = []
    /// The index of the first unsettled message. A message is settled when it has been stored or rejected.
    private var head = 0
    /// The index of the next message to send. All messages before it are in flight, settled or paused.
    private var next = 0
    private(set) var nextNumber: UInt64 = 0
    /// The number of unsettled messages, without the ``restored`` ones. `bytes` is the size of the counted messages.
    private(set) var count = 0
    private(set) var bytes = 0
    /// The number of unsettled messages that are sent again, because their stream may have lost them.
    private(set) var restored = 0
    private(set) var sent = 0

    var isEmpty: Bool { count + restored == 0 }

    mutating func append(_ item: Item, _ settle: @escaping SendBuffer.Settle) {
        count += 1
        bytes += item.bytes
        entries.append(Entry(number: nextNumber, item: item, settle: settle))
        nextNumber += 1
    }

    func index(of number: UInt64) -> Int? {
        guard head < entries.count, number >= entries[head].number, number < nextNumber else { return nil }
        // `high` is the index if no message in between was removed. Otherwise it is an upper bound.
        var (low, high) = (head, min(entries.count - 1, head + Int(number - entries[head].number)))
        if entries[high].number == number { low = high }
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return entries[low].number == number && entries[low].settle != nil ? low : nil
    }

    func first(where isMeant: (Entry) -> Bool) -> Int? {
        entries[head...].firstIndex { $0.settle != nil && isMeant($0) }
    }

    func numbers(where isMeant: (Entry) -> Bool) -> [UInt64] {
        entries[head...].filter { $0.settle != nil && isMeant($0) }.map(\.number)
    }

    mutating func next(atMost most: Int) -> Int? {
        while next < entries.count, sent < most {
            defer { next += 1 }
            if entries[next].settle != nil, !entries[next].isSent { return next }
        }
        return nil
    }

    mutating func rewind() { next = head }

    mutating func noteSent(_ index: Int, at now: Duration) {
        entries[index].isSent = true
        if entries[index].sentAt == nil { entries[index].sentAt = now }
        sent += 1
    }

    mutating func noteUnsent(_ index: Int) {
        if !entries[index].isSent { return }
        entries[index].isSent = false
        sent -= 1
    }

    mutating func takeBack(_ isMeant: (Entry) -> Bool) {
        for index in head..<entries.count where entries[index].isSent && isMeant(entries[index]) {
            entries[index].isSent = false
            if entries[index].settle != nil { sent -= 1 }
        }
    }

    mutating func restore(_ stored: [PackedMessage]) {
        if stored.isEmpty { return }
        let again = stored.map { Entry(number: $0.number, item: $0.item, settle: { _ in }, storedAt: $0.time) }
        entries = (entries[head...].filter { $0.settle != nil } + again).sorted { $0.number < $1.number }
        (head, next) = (0, 0)
        restored += again.count
    }

    mutating func remove(_ index: Int) -> (entry: Entry, settle: SendBuffer.Settle)? {
        guard let settle = entries[index].settle.take() else { return nil }
        let entry = entries[index]
        if entry.storedAt == nil {
            count -= 1
            bytes -= entry.item.bytes
        } else {
            restored -= 1
        }
        if entry.isSent { sent -= 1 }
        entries[index].item = Self.noItem
        while head < entries.count, entries[head].settle == nil { head += 1 }
        next = max(next, head)
        // Removes all settled messages. On average, this moves each message once.
        if entries.count > 2048, (count + restored) * 2 < entries.count {
            next = entries[head..<next].count { $0.settle != nil }
            entries = entries[head...].filter { $0.settle != nil }
            head = 0
        }
        return (entry, settle)
    }
}

struct Destination: Sendable {
    /// The name of the stream, or an empty string if no route of this program stores the type.
    var stream = ""
    var waitsWhenFull = true
    /// Whether the message can be dropped to make room. False for a row of an outbox's table, because the relay would
    /// read a dropped row again.
    var isDroppable = true
}
