/// What a program has fetched from a stream and not acknowledged yet, and whose turn it is: part of a state machine.
///
/// A message *arrives*, *waits* until there is room among those in progress, and is *handed out*. One that is handed out *alone* has
/// nothing beside it, so that it is known which one it was if the program does not survive it.
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
    /// Those that wait, in their order, from a place on.
    private var waiting: [UInt64] = []
    private var firstWaiting = 0
    private var handedOut = 0
    private var alone: UInt64?

    /// - Parameter inProgress: How many may be handed out at a time.
    init(inProgress: Int) { self.inProgress = inProgress }

    var count: Int { messages.count }
    var isEmpty: Bool { messages.isEmpty }

    /// All deliveries for which the server waits.
    var deliveries: some Sequence<StreamDelivery> { messages.values.lazy.map(\.delivery) }

    subscript(_ sequence: UInt64) -> StreamDelivery? { messages[sequence]?.delivery }

    /// Notes a message.
    ///
    /// - Returns: Whether it is new. Of one that is here already, the newer delivery is the one that counts for the server.
    mutating func arrive(_ delivery: StreamDelivery) -> Bool {
        if messages[delivery.sequence] != nil {
            messages[delivery.sequence]?.delivery = delivery
            return false
        }
        messages[delivery.sequence] = Message(delivery: delivery)
        return true
    }

    /// Has a message that has arrived wait for its turn.
    ///
    /// - Parameters:
    ///   - sequence: Its number.
    ///   - isAlone: Whether nothing else may be in progress with it.
    ///   - take: Hands it out.
    mutating func wait(_ sequence: UInt64, isAlone: Bool, take: @escaping @Sendable () -> Void) {
        guard messages[sequence]?.stage == .arrived else { return }
        let isBack = messages[sequence]?.isBack == true
        messages[sequence]?.isBack = false
        messages[sequence]?.stage = .waiting
        messages[sequence]?.isAlone = isAlone
        messages[sequence]?.take = take
        // One that was taken back is before those that wait.
        if let place = waiting[firstWaiting...].firstIndex(where: { $0 > sequence }), isBack {
            waiting.insert(sequence, at: place)
        } else {
            waiting.append(sequence)
        }
    }

    /// What hands out the next message, if there is room for it.
    mutating func next() -> (@Sendable () -> Void)? {
        while firstWaiting < waiting.count {
            let sequence = waiting[firstWaiting]
            guard var message = messages[sequence], message.stage == .waiting else {
                firstWaiting += 1
                continue
            }
            guard alone == nil, message.isAlone ? handedOut == 0 : handedOut < inProgress else { return nil }
            firstWaiting += 1
            // Moved together now and then, so that each is moved once on the average.
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

    /// Lets go of a message.
    ///
    /// - Parameters:
    ///   - sequence: Its number.
    ///   - isHeldUp: Whether nothing is handed out, if it was alone, before ``goOn(after:)``.
    /// - Returns: Its delivery; `nil` if it is not here.
    mutating func remove(_ sequence: UInt64, holdingUp isHeldUp: Bool = false) -> StreamDelivery? {
        guard let message = messages.removeValue(forKey: sequence) else { return nil }
        if message.stage == .handedOut { handedOut -= 1 }
        if !isHeldUp { goOn(after: sequence) }
        return message.delivery
    }

    /// Whether nothing is handed out, as this message was alone.
    func isHeldUp(by sequence: UInt64) -> Bool { alone == sequence }

    /// Takes a message back that was handed out in vain: it has arrived, and is to wait for its turn again.
    mutating func putBack(_ sequence: UInt64) {
        guard messages[sequence]?.stage == .handedOut else { return }
        messages[sequence]?.stage = .arrived
        messages[sequence]?.isBack = true
        handedOut -= 1
    }

    /// Hands out others again, after one that was alone.
    mutating func goOn(after sequence: UInt64) { if alone == sequence { alone = nil } }

    /// Lets go of what was not handed out.
    ///
    /// - Parameter keepsWaiting: Whether what waits for its turn is kept, and only what has not come so far is let go of.
    /// - Returns: The deliveries.
    mutating func removeUnbegun(keepingWaiting keepsWaiting: Bool) -> [StreamDelivery] {
        let unbegun = messages.values.filter { $0.stage == .arrived || ($0.stage == .waiting && !keepsWaiting) }
        for message in unbegun { messages[message.delivery.sequence] = nil }
        return unbegun.map(\.delivery).sorted { $0.sequence < $1.sequence }
    }
}
