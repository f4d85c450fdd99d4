/// One iterator's way through a sequence: its mailbox, and what it took out of it.
@usableFromInline
final class SequenceReader<Element: Sendable> {
    @usableFromInline let mailbox: Mailbox<Element>
    @usableFromInline let wakeUp: WakeUp
    @usableFromInline let inHand: InHand
    private let lifetime: SequenceLifetime<Element>
    @usableFromInline var batch = Batch<Queued<Element>>()
    @usableFromInline var hasEnded = false

    /// How many elements were taken, as others run in between.
    @usableFromInline var taken = 0

    init(_ lifetime: SequenceLifetime<Element>) {
        self.lifetime = lifetime
        let line = lifetime.source.makeLine()
        mailbox = line.mailbox
        wakeUp = line.wakeUp
        inHand = mailbox.inHand
    }

    deinit { lifetime.source.remove(mailbox) }

    /// The next element; `nil` when the sequence has ended or the task is cancelled.
    @inlinable
    func next(isolation: isolated (any Actor)?) async -> Element? {
        if hasEnded { return nil }
        while !Task.isCancelled {
            if let next = batch.next() {
                inHand.note(batch.count)
                if !next.isPlain { mailbox.taken(next) }
                taken &+= 1
                if taken % Mailbox<Element>.turn == 0 { await Task.yield() }
                return next.element
            }
            // Asked first: what is put in after that, and an end behind it, are met in the next round.
            let isOpen = mailbox.isOpen
            if mailbox.begin(nil, with: &batch) { continue }
            if !isOpen { break }
            // Where notifications come in a burst, the next ones are there in a moment.
            await Task.yield()
            if mailbox.begin(nil, with: &batch) { continue }
            await wakeUp.sleep()
        }
        end()
        return nil
    }

    @usableFromInline
    func end() {
        hasEnded = true
        while let rest = batch.next() { mailbox.discard(rest) }
        inHand.note(batch.count)
        lifetime.source.remove(mailbox)
    }
}
