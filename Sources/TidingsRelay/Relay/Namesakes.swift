/// Detects connected programs with the same name and instance. Such programs would mistake each other's notifications
/// for their own, and skip them. So a program announces itself when it connects, and programs with the same name and
/// instance respond.
struct Namesakes: Sendable {
    private static let hello = "hello "
    private static let here = "here "

    let context: RelayContext
    /// Identifies the program's own announcements.
    let inbox: String

    static func subject(_ options: RelayOptions) -> String? {
        options.instance.map { "\(options.subjectPrefix)-here.\(options.name).\($0)" }
    }

    func listen(over link: any Link) throws(RelayFault) -> (any AnyObject & Sendable)? {
        guard let subject = Self.subject(context.options) else { return nil }
        return try link.subscribe(subject, group: nil) { [self, weak link] message in
            let text = String(decoding: message.bytes, as: UTF8.self)
            // The program's own announcement may come back on a newer connection.
            if text == Self.hello + inbox || text == Self.here + inbox { return }
            let words = "another program has the name \(context.options.name) and the instance \(context.instance)"
            context.report(RelayFault(.sameInstance, subject: subject, words))
            if text.hasPrefix(Self.hello) { _ = link?.publish(RelayMessage(subject, text: Self.here + inbox)) }
        }
    }

    func greet(over link: any Link) {
        if let subject = Self.subject(context.options) {
            _ = link.publish(RelayMessage(subject, text: Self.hello + inbox))
        }
    }
}
