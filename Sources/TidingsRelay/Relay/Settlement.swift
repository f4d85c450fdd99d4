/// Acknowledges handled messages. Requests the redelivery of failed messages, or stores them as dead letters. A message
/// that may crash the program is handed out (passed to observers) alone on its last attempt, after a note was stored on
/// the server. If the message arrives again while the note exists, the program has crashed, and the message becomes a
/// dead letter.
final class Settlement: Sendable {
    private let context: RelayContext
    private let connection: RelayConnection
    private let sender: RelaySender
    let places: PlaceKeeper

    init(_ context: RelayContext, _ connection: RelayConnection, _ sender: RelaySender) {
        self.context = context
        self.connection = connection
        self.sender = sender
        places = PlaceKeeper(context: context, connection: connection)
    }

    /// Whether to hand out a message alone. True if it was delivered as often as allowed, and hasn't failed in this
    /// program.
    func isSuspect(_ arrived: Arrived) -> Bool {
        guard arrived.delivery.count > max(1, arrived.reading.retryPolicy.delays.count) else { return false }
        return arrived.reading.reader.update { !$0.setbacks.hasFailed(arrived.delivery.sequence) }
    }

    func handOutAlone(_ arrived: Arrived, _ deliver: @escaping @Sendable () -> Void) async {
        let (delivery, reading) = (arrived.delivery, arrived.reading)
        do throws(RelayFault) {
            let notes = try connection.notes(of: reading)
            if try await notes.hasBegun(delivery.sequence) {
                let id = "lost \(delivery.sequence)"
                guard begin(id, arrived) else { return }
                let words = "the program crashed or was killed during delivery \(delivery.count - 1)"
                let fault = RelayFault(.programLost, words).about(arrived.message)
                context.report(fault)
                return bury(id, arrived, fault)
            }
            try await notes.begin(delivery.sequence)
        } catch {
            // The note couldn't be read or stored. Without a link, the message is redelivered. Otherwise, it is handed
            // out.
            if connection.link == nil || error.kind == .connectionLost {
                return reading.reader.update { $0.drop(delivery.sequence, at: context.clock.now) }
            }
            context.report(error)
        }
        reading.handOut.update { $0.actions.append(deliver) }
    }

    /// Returns whether to call observers. If not, and the message was handed out alone, other messages can follow.
    func begin(_ id: String, _ arrived: Arrived) -> Bool {
        let sequence = arrived.delivery.sequence
        let (begins, isAlone) = arrived.reading.reader.update { reader in
            // `isHeldUp` is read first, because it is false after `reader.begin` has dropped the message.
            let isAlone = reader.fetched.isHeldUp(by: sequence)
            return (reader.begin(id, sequence, at: context.clock.now), isAlone)
        }
        if !begins && isAlone { goOn(after: arrived) }
        return begins
    }

    /// Acknowledges a message. If the message was handed out alone, other messages wait until its note is removed,
    /// because a crash that happens while the note exists is attributed to this message.
    func settle(_ id: String, _ arrived: Arrived, _ acknowledgement: Acknowledgement) {
        let isAlone = arrived.reading.reader.update { reader in
            reader.end(id, acknowledgement, at: context.clock.now)
            return reader.fetched.isHeldUp(by: arrived.delivery.sequence)
        }
        if isAlone { goOn(after: arrived) }
    }

    func goOn(after arrived: Arrived) {
        let (sequence, reading) = (arrived.delivery.sequence, arrived.reading)
        Task {
            do throws(RelayFault) { try await connection.notes(of: reading).end(sequence) } catch {
                if error.kind != .connectionLost { context.report(error) }
            }
            reading.reader.update { $0.goOn(after: sequence, at: context.clock.now) }
        }
    }

    /// Ends a message's handling. An unreadable message counts toward the consumer's limit until another program
    /// receives it, so only a limited number of such messages wait for redelivery. Further ones become dead letters,
    /// unless `deadLetterReasons` excludes their reason. In that case, they also wait.
    func finish(_ id: String, _ arrived: Arrived, _ problem: RelayFault?, isUnread: Bool = false) {
        guard let problem else { return settle(id, arrived, .done) }
        context.report(problem)
        arrived.reading.counts.noteFailure(problem)
        let (sequence, reading) = (arrived.delivery.sequence, arrived.reading)
        let most = max(1, reading.consumer.limit / 4)
        let (attempt, waits) = reading.reader.update { reader in
            (reader.attempt(sequence), !isUnread || reader.setbacks.addUnread(sequence, atMost: most))
        }
        let delays = reading.retryPolicy.delays
        if attempt > delays.count || !waits, reading.deadLetterReasons?.contains(problem.kind) != false {
            return bury(id, arrived, problem)
        }
        settle(id, arrived, .again(after: reading.retryPolicy.delay(after: attempt) ?? delays.last ?? .seconds(1)))
    }

    private func bury(_ id: String, _ arrived: Arrived, _ problem: RelayFault, hasContent: Bool = true) {
        let identity = context.streamIdentities.identity(
            "dead \(arrived.reading.consumer.name) \(arrived.delivery.sequence)", isChosen: false)
        let letter = DeadLetter.message(of: arrived, problem, identity: identity, hasContent: hasContent)
        if hasContent, letter.size > connection.maximumPayload { return bury(id, arrived, problem, hasContent: false) }
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
                // The stream of the dead letters may have its own size limit.
                if hasContent, fault.kind == .payloadTooLarge { return bury(id, arrived, problem, hasContent: false) }
                context.report(fault)
                self.settle(id, arrived, .again(after: context.options.acknowledgementTime))
            }
        }
        if !sender.append(letter, to: Destination(stream: "\(arrived.reading.stream)_DEAD"), settle) {
            settle(.failure(sender.isFull(letter)))
        }
    }
}
