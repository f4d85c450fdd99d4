import Tidings

extension NotificationRelay {
    /// Acknowledges a message whose observers have finished, has it delivered again, or buries it.
    func finish(
        _ id: String, _ message: RelayMessage, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading,
        _ problem: RelayFault?
    ) {
        guard let problem else { return settle(id, delivery, reading, .done) }
        report(problem)
        let attempt = reading.reader.update { $0.attempt(delivery.sequence) }
        if attempt > reading.retryDelays.count, reading.buries?.contains(problem.kind) != false {
            return bury(id, message, delivery, reading, problem)
        }
        let delay = reading.retryDelays.dropFirst(attempt - 1).first ?? reading.retryDelays.last ?? .seconds(1)
        settle(id, delivery, reading, .again(after: delay))
    }

    /// Keeps a message among the dead letters, and then has it delivered no more.
    func bury(
        _ id: String, _ message: RelayMessage, _ delivery: StreamDelivery, _ reading: ActiveRoute.Reading,
        _ problem: RelayFault
    ) {
        let letter = DeadLetter.message(of: message, delivery, reading, problem)
        let subject = letter.subject
        let settle: Outbox.Settle = { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let sequence):
                report(
                    RelayFault(.deadLetter, subject: message.subject, id: problem.id, "kept as \(subject) \(sequence)"))
                self.settle(id, delivery, reading, .never)
            case .failure(let fault):
                report(fault)
                self.settle(id, delivery, reading, .again(after: options.acknowledgementTime))
            }
        }
        if !append(letter, to: StoredRoute(deadLettersOf: reading.stream), settle) {
            settle(.failure(RelayFault(.outboxFull, subject: subject, "\(waitingCount) notifications wait")))
        }
    }
}
