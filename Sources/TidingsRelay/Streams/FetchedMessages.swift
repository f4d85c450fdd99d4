/// The messages that a reader has fetched. Each *arrives*, *waits* while too many are in progress, and is *handed out*,
/// which means passed to observers. A message that may crash the program is handed out *alone*, with no other message
/// in progress, so that a crash can be attributed to it.
struct FetchedMessages: Sendable {
    private enum Stage { case arrived, waiting, handedOut }

    private struct Message {
        var delivery: StreamDelivery
        var stage = Stage.arrived
        var isAlone = false
        var isBack = false
        var take: (@Sendable () -> Void)?
    }

    private let inProgress: Int
    private var messages: [UInt64: Message] = [:]
    /// The waiting messages in order, from the index `firstWaiting` on.
    private var waiting: [UInt64] = []
    private var firstWaiting = 0
    private var handedOut = 0
    private var alone: UInt64?
    private(set) var acknowledgedCount: UInt64 = 0
    private var tasks: [CheckedContinuation<Void, Never>] = []

    init(inProgress: Int) { self.inProgress = inProgress }

    var count: Int { messages.count }
    var isEmpty: Bool { messages.isEmpty }

    var deliveries: some Sequence<StreamDelivery> { messages.values.lazy.map(\.delivery) }

    subscript(_ sequence: UInt64) -> StreamDelivery? { messages[sequence]?.delivery }

    /// Records a delivery. Returns whether the message is new. Only its newest delivery can be acknowledged.
    mutating func arrive(_ delivery: StreamDelivery) -> Bool {
        if messages[delivery.sequence] != nil {
            messages[delivery.sequence]?.delivery = delivery
            return false
        }
        messages[delivery.sequence] = Message(delivery: delivery)
        return true
    }

    /// Queues a message, which `take` hands out. With `isAlone`, it waits until no other message is in progress.
    mutating func wait(_ sequence: UInt64, isAlone: Bool, take: @escaping @Sendable () -> Void) {
        guard messages[sequence]?.stage == .arrived else { return }
        let isBack = messages[sequence]?.isBack == true
        messages[sequence]?.isBack = false
        messages[sequence]?.stage = .waiting
        messages[sequence]?.isAlone = isAlone
        messages[sequence]?.take = take
        // A message that was put back precedes messages with higher numbers.
        if isBack, let place = waiting[firstWaiting...].firstIndex(where: { $0 > sequence }) {
            waiting.insert(sequence, at: place)
        } else {
            waiting.append(sequence)
        }
    }

    mutating func next() -> (@Sendable () -> Void)? {
        while firstWaiting < waiting.count {
            let sequence = waiting[firstWaiting]
            guard var message = messages[sequence], message.stage == .waiting else {
                firstWaiting += 1
                continue
            }
            guard alone == nil, message.isAlone ? handedOut == 0 : handedOut < inProgress else { return nil }
            firstWaiting += 1
            // On average, this moves each message once.
            if firstWaiting > 64, firstWaiting * 2 > waiting.count {
                waiting.removeFirst(firstWaiting)
                firstWaiting = 0
            }
            if message.isAlone { alone = sequence }
            handedOut += 1
            message.stage = .handedOut
            let take = message.take
            message.take = nil
            messages[sequence] = message
            return take
        }
        return nil
    }

    /// Removes a message. If the message was handed out alone and acknowledged, ``next()`` returns `nil` until
    /// ``goOn(after:)`` is called for the message.
    mutating func remove(_ sequence: UInt64, isAcknowledged: Bool) -> StreamDelivery? {
        guard let message = messages.removeValue(forKey: sequence) else { return nil }
        if message.stage == .handedOut { handedOut -= 1 }
        if isAcknowledged { acknowledgedCount += 1 } else { goOn(after: sequence) }
        return message.delivery
    }

    func isHeldUp(by sequence: UInt64) -> Bool { alone == sequence }

    /// Moves a message back to the stage `arrived`. The caller must then queue or remove it.
    mutating func putBack(_ sequence: UInt64) {
        guard messages[sequence]?.stage == .handedOut else { return }
        messages[sequence]?.stage = .arrived
        messages[sequence]?.isBack = true
        handedOut -= 1
    }

    mutating func goOn(after sequence: UInt64) { if alone == sequence { alone = nil } }

    mutating func removeUnbegun(keepingWaiting keepsWaiting: Bool) -> [StreamDelivery] {
        let unbegun = messages.values.filter { $0.stage == .arrived || ($0.stage == .waiting && !keepsWaiting) }
        for message in unbegun { messages[message.delivery.sequence] = nil }
        return unbegun.map(\.delivery).sorted { $0.sequence < $1.sequence }
    }

    mutating func waitForEnd(_ continuation: CheckedContinuation<Void, Never>) { tasks.append(continuation) }

    mutating func takeTasks() -> [CheckedContinuation<Void, Never>] {
        defer { tasks = [] }
        return tasks
    }
}
