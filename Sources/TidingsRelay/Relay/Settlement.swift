import Tidings
import TidingsWire

/// What becomes of messages of streams that were handed out: they are acknowledged, delivered again, or kept among the dead letters.
///
/// A message that a program does not survive is handed out alone the last time, which is noted on the server. If it comes once more, and the
/// note is still there, no program has survived it. It becomes a dead letter before it is handed out again.
final class Settlement: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection
    private let sender: RelaySender
    let places: PlaceKeeper

    init(_ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender) {
        self.context = context
        self.connection = connection
        self.sender = sender
        places = PlaceKeeper(context, connection)
    }

    /// Whether a delivery is to be handed out alone: it was given out as often as it may be, and did not fail here.
    func isSuspect(_ arrived: Arrived) -> Bool {
        guard arrived.delivery.count > max(1, arrived.reading.retryPolicy.delays.count) else { return false }
        return arrived.reading.reader.update { !$0.hasFailed(arrived.delivery.sequence) }
    }

    /// Hands out a message that may end the program, or buries it.
    func handOutAlone(_ arrived: Arrived, _ deliver: @escaping @Sendable () -> Void) async {
        let (delivery, reading) = (arrived.delivery, arrived.reading)
        do throws(RelayFault) {
            let notes = try connection.notes(of: reading)
            if try await notes.hasBegun(delivery.sequence) {
                let id = "lost \(delivery.sequence)"
                guard begin(id, arrived) else { return }
                let fault = RelayFault(
                    .programLost, subject: arrived.message.subject, id: arrived.message.header("Nats-Msg-Id"),
                    "the program was lost when it was called with this, delivery \(delivery.count - 1)")
                context.report(fault)
                return bury(id, arrived, fault)
            }
            try await notes.begin(delivery.sequence)
        } catch {
            // Without a link it comes again. Without a note it is handed out all the same: to keep it would be worse.
            if connection.link == nil || error.kind == .connectionLost {
                return reading.reader.update { $0.drop(delivery.sequence, at: context.clock.now) }
            }
            context.report(error)
        }
        reading.handOut.add(deliver)
    }

    /// Notes that a message is being handed out.
    ///
    /// - Returns: Whether observers are to be called. Of a copy of what is done with they are not: if it was alone, others follow.
    func begin(_ id: String, _ arrived: Arrived) -> Bool {
        let sequence = arrived.delivery.sequence
        let (begins, isAlone) = arrived.reading.reader.update { reader in
            // Before it may be let go of.
            let isAlone = reader.isHeldUp(by: sequence)
            return (reader.begin(id, sequence, at: context.clock.now), isAlone)
        }
        if !begins && isAlone { goOn(after: arrived) }
        return begins
    }

    /// Tells the server what became of a message. If it was alone, others follow when its note is gone, so that a loss in between is not
    /// taken for one of this message.
    func settle(_ id: String, _ arrived: Arrived, _ acknowledgement: Acknowledgement) {
        let isAlone = arrived.reading.reader.update { reader in
            reader.end(id, acknowledgement, at: context.clock.now)
            return reader.isHeldUp(by: arrived.delivery.sequence)
        }
        if isAlone { goOn(after: arrived) }
    }

    /// Has others handed out again after a message that was alone.
    func goOn(after arrived: Arrived) {
        let (sequence, reading) = (arrived.delivery.sequence, arrived.reading)
        Task {
            do throws(RelayFault) { try await connection.notes(of: reading).end(sequence) } catch {
                if error.kind != .connectionLost { context.report(error) }
            }
            reading.reader.update { $0.goOn(after: sequence, at: context.clock.now) }
        }
    }

    /// Acknowledges a message whose observers have finished, has it delivered again, or buries it.
    ///
    /// - Parameters:
    ///   - id: The identity under which it was begun.
    ///   - arrived: The message.
    ///   - problem: Why it is not done with; `nil` if it is.
    ///   - isUnread: Whether it could not be read. While such a message waits to be delivered again, to a program that can read it, it takes
    ///     the place of one that this program can read; so only some of them wait.
    func finish(_ id: String, _ arrived: Arrived, _ problem: RelayFault?, isUnread: Bool = false) {
        guard let problem else { return settle(id, arrived, .done) }
        context.report(problem)
        let (sequence, reading) = (arrived.delivery.sequence, arrived.reading)
        let most = max(1, reading.consumer.limit / 4)
        let (attempt, waits) = reading.reader.update { reader in
            (reader.attempt(sequence), !isUnread || reader.holdsUnread(sequence, atMost: most))
        }
        let delays = reading.retryPolicy.delays
        if attempt > delays.count || !waits, reading.deadLetterReasons?.contains(problem.kind) != false {
            return bury(id, arrived, problem)
        }
        settle(id, arrived, .again(after: reading.retryPolicy.delay(after: attempt) ?? delays.last ?? .seconds(1)))
    }

    /// Keeps a message among the dead letters, and then has it delivered no more.
    private func bury(_ id: String, _ arrived: Arrived, _ problem: RelayFault, hasContent: Bool = true) {
        let identity = context.streamIdentities.identity(
            "dead \(arrived.reading.consumer.name) \(arrived.delivery.sequence)", isChosen: false)
        let letter = DeadLetter.message(of: arrived, problem, identity: identity, hasContent: hasContent)
        if hasContent, letter.size > connection.maximumPayload {
            return bury(id, arrived, problem, hasContent: false)
        }
        let subject = letter.subject
        let settle: SendBuffer.Settle = { [self] result in
            switch result {
            case .success(let sequence):
                context.report(
                    RelayFault(
                        .deadLetter, subject: arrived.message.subject, id: problem.id, "kept as \(subject) \(sequence)")
                )
                self.settle(id, arrived, .never)
            case .failure(let fault):
                // Its stream may have a limit of its own.
                if hasContent, fault.kind == .payloadTooLarge {
                    return bury(id, arrived, problem, hasContent: false)
                }
                context.report(fault)
                self.settle(id, arrived, .again(after: context.options.acknowledgementTime))
            }
        }
        if !sender.append(letter, to: StoredRoute(deadLettersOf: arrived.reading.stream), settle) {
            settle(.failure(sender.isFull(letter)))
        }
    }
}
