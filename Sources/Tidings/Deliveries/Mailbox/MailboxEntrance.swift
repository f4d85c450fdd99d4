/// The way into a mailbox, which only a center holds: when the center lets go of it, the mailbox has ended.
@usableFromInline
package final class MailboxEntrance<Element: Sendable>: Sendable {
    @usableFromInline let mailbox: Mailbox<Element>

    @inlinable
    package init(_ mailbox: Mailbox<Element>) { self.mailbox = mailbox }

    @inlinable
    deinit { mailbox.finish() }

    /// Puts an element into the mailbox, and into the scope of the delivery that the caller is part of.
    @inlinable
    package func put(_ element: Element) {
        if let window = CallContext.currentWindow {
            mailbox.put(Queued(element, scope: WaitGraph.enter(window, mailbox: ObjectIdentifier(mailbox))))
        } else {
            mailbox.put(element)
        }
    }
}

extension TypedNotificationCenter {
    /// Registers an observer whose notifications wait in a mailbox.
    ///
    /// Who handles what waits looks whether the owner is alive; where nothing ever waits, the post does.
    @inlinable
    func observe<N: TypedNotification & Sendable>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration, in mailbox: Mailbox<N>,
        tiedBy ownership: Ownership? = nil
    ) -> MailboxObservation<N> {
        let entrance = MailboxEntrance(mailbox)
        let registration = registration.with(queue: mailbox)
        let watched = mailbox.keepsNothing ? ownership : nil
        let base = observe(type, sender: sender, registration: registration) { note in
            if let watched, !watched.owner.isAlive { return watched.end() }
            entrance.put(note)
        }
        return MailboxObservation(base: base, mailbox: mailbox)
    }
}
