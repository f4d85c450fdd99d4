/// What an iterator takes from: a mailbox that wakes it up.
@usableFromInline
struct SequenceLine<Element: Sendable>: Sendable {
    @usableFromInline let mailbox: Mailbox<Element>
    let wakeUp = WakeUp()

    init(buffering policy: BufferingPolicy) {
        mailbox = Mailbox(buffering: policy) { [wakeUp] _ in wakeUp.raise() }
    }
}
