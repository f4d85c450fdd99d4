/// The way into a mailbox, which only a center holds: when the center lets go of it, the mailbox has ended.
@usableFromInline
package final class MailboxEntrance<Element: Sendable>: Sendable {
    @usableFromInline let mailbox: Mailbox<Element>

    @inlinable
    package init(_ mailbox: Mailbox<Element>) { self.mailbox = mailbox }

    @inlinable
    deinit { mailbox.finish() }

    /// Puts an element into the mailbox.
    @inlinable
    package func put(_ element: Element) { mailbox.put(element) }
}

extension TypedNotificationCenter {
    /// Registers an observer whose notifications wait in a mailbox.
    @inlinable
    func observe<N: TypedNotification & Sendable>(
        _ type: N.Type, sender: N.Sender?, registration: Registration, in mailbox: Mailbox<N>
    ) -> MailboxObservation<N> {
        let entrance = MailboxEntrance(mailbox)
        let base = observe(type, sender: sender, registration: registration) { note in entrance.put(note) }
        return MailboxObservation(base: base, mailbox: mailbox)
    }
}
