import Tidings

// A notification that a program does not survive: it is handed out alone the last time, which is noted on the server. If it comes once
// more, and the note is still there, no program has survived it. It is buried before it is handed out again.

extension NotificationRelay {
    /// Whether a delivery is to be handed out alone: it was given out as often as it may be, and did not fail here.
    func isSuspect(_ delivery: StreamDelivery, _ reading: ActiveRoute.Reading) -> Bool {
        guard delivery.count > max(1, reading.retryDelays.count) else { return false }
        return reading.reader.update { !$0.hasFailed(delivery.sequence) }
    }

    /// Hands out a message that may end the program, or buries it.
    func handOutAlone(
        _ message: RelayMessage, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading,
        _ deliver: @escaping @Sendable () -> Void
    ) async {
        do throws(RelayFault) {
            let notes = try notes(of: reading)
            if try await notes.hasBegun(delivery.sequence) {
                let id = "lost \(delivery.sequence)"
                guard begin(id, delivery, reading) else { return }
                let fault = RelayFault(
                    .programLost, subject: message.subject, id: message.header("Nats-Msg-Id"),
                    "the program was lost when it was called with this, delivery \(delivery.count - 1)")
                report(fault)
                return bury(id, message, delivery, reading, fault)
            }
            try await notes.begin(delivery.sequence)
        } catch {
            // Without a link it comes again. Without a note it is handed out all the same: to keep it would be worse.
            if state.withLock({ $0.link }) == nil || error.kind == .connectionLost {
                return reading.reader.update { $0.drop(delivery.sequence, at: clock.now) }
            }
            report(error)
        }
        reading.handOut.add(deliver)
    }

    /// Notes that a message is being handed out.
    ///
    /// - Returns: Whether observers are to be called. Of a copy of what is done with they are not: if it was alone, others follow.
    func begin(_ id: String, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading) -> Bool {
        let (begins, isAlone) = reading.reader.update { reader in
            // Before it may be let go of.
            let isAlone = reader.isHeldUp(by: delivery.sequence)
            return (reader.begin(id, delivery.sequence, at: clock.now), isAlone)
        }
        if !begins && isAlone { goOn(after: delivery, reading) }
        return begins
    }

    /// Tells the server what became of a message. If it was alone, others follow when its note is gone, so that a loss in between is not
    /// taken for one of this message.
    func settle(
        _ id: String, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading, _ acknowledgement: Acknowledgement
    ) {
        let isAlone = reading.reader.update { reader in
            reader.end(id, acknowledgement, at: clock.now)
            return reader.isHeldUp(by: delivery.sequence)
        }
        if isAlone { goOn(after: delivery, reading) }
    }

    /// Has others handed out again after a message that was alone.
    func goOn(after delivery: StreamDelivery, _ reading: ActiveRoute.Reading) {
        Task {
            do throws(RelayFault) { try await notes(of: reading).end(delivery.sequence) } catch {
                if error.kind != .connectionLost { report(error) }
            }
            reading.reader.update { $0.goOn(after: delivery.sequence, at: clock.now) }
        }
    }

    /// Where the notes about a consumer are.
    func notes(of reading: ActiveRoute.Reading) throws(RelayFault) -> ConsumerNotes {
        ConsumerNotes(
            service: try service(), prefix: options.subjectPrefix, stream: reading.stream,
            consumer: reading.consumer.name)
    }
}
