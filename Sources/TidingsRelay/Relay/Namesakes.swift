import Tidings
import TidingsWire

/// Other connected programs with the name and the instance of this one.
///
/// Each would mistake the other's notifications for its own, and they would share a consumer that is meant for one.
/// Each program therefore announces itself when it connects, and the other responds.
struct Namesakes: Sendable {
    private static let hello = "hello "
    private static let here = "here "

    private let context: RelayContext
    /// Identifies the program's own announcement.
    private let inbox: String

    init(_ context: RelayContext, _ inbox: String) {
        self.context = context
        self.inbox = inbox
    }

    /// The subject on which programs of this name and instance announce themselves; `nil` if no other program can have
    /// the same.
    static func subject(_ options: RelayOptions) -> String? {
        options.instance.map { "\(options.subjectPrefix)-here.\(options.name).\($0)" }
    }

    /// Listens for other programs with the same name and instance.
    ///
    /// - Returns: An object that keeps the subscription.
    func listen(over link: any Link) throws(RelayFault) -> (any AnyObject & Sendable)? {
        guard let subject = Self.subject(context.options) else { return nil }
        return try link.subscribe(subject, group: nil) { [self, weak link] message in
            let text = String(decoding: message.bytes, as: UTF8.self)
            // The program's own announcement comes back, even over a connection that hasn't ended yet.
            if text == Self.hello + inbox || text == Self.here + inbox { return }
            let words = "another program has the name \(context.options.name) and the instance \(context.instance)"
            context.report(RelayFault(.sameInstance, subject: subject, words))
            if text.hasPrefix(Self.hello) { _ = link?.publish(RelayMessage(subject, text: Self.here + inbox)) }
        }
    }

    /// Announces this program to others with the same name and instance.
    func greet(over link: any Link) {
        if let subject = Self.subject(context.options) {
            _ = link.publish(RelayMessage(subject, text: Self.hello + inbox))
        }
    }
}
