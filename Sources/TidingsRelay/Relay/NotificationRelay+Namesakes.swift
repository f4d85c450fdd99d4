import Tidings

// Two programs that are connected with one name and one instance would each take what the other has sent for its own, and share a consumer
// that is meant for one. So each says that it is there when it connects, and the other answers.

extension NotificationRelay {
    private static let hello = "hello "
    private static let here = "here "

    /// The subject on which programs of this name and instance greet; `nil` if no other one can have the same.
    private var greetingSubject: String? {
        options.instance.map { "\(options.subjectPrefix)-here.\(options.name).\($0)" }
    }

    /// Hears of others with the same name and instance.
    ///
    /// - Returns: What keeps the subscription.
    func listenForNamesakes(_ link: any Link) throws(RelayFault) -> (any AnyObject & Sendable)? {
        guard let subject = greetingSubject else { return nil }
        return try link.subscribe(subject, group: nil) { [weak self, weak link] message in
            guard let self else { return }
            let text = String(decoding: message.bytes, as: UTF8.self)
            // Its own greeting comes back, also over a connection that has not ended yet.
            if text == Self.hello + inbox || text == Self.here + inbox { return }
            report(
                RelayFault(
                    .sameInstance, subject: subject,
                    "another program is called \(options.name), and is the instance \(instance)"))
            if text.hasPrefix(Self.hello) { _ = link?.publish(RelayMessage(subject, text: Self.here + inbox)) }
        }
    }

    /// Says to others with the same name and instance that this one is there.
    func greetNamesakes(_ link: any Link) {
        if let subject = greetingSubject { _ = link.publish(RelayMessage(subject, text: Self.hello + inbox)) }
    }
}
