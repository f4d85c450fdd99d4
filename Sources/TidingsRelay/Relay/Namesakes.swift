import Tidings
import TidingsWire

/// Other programs that are connected with the name and the instance of this one.
///
/// Each would take what the other has sent for its own, and they would share a consumer that is meant for one. So each says that it is there
/// when it connects, and the other answers.
struct Namesakes: Sendable {
    private static let hello = "hello "
    private static let here = "here "

    private let context: RelayContext
    /// By which a program knows its own greeting.
    private let inbox: String

    init(_ context: RelayContext, _ inbox: String) {
        self.context = context
        self.inbox = inbox
    }

    /// The subject on which programs of this name and instance greet; `nil` if no other one can have the same.
    private var subject: String? {
        let options = context.options
        return options.instance.map { "\(options.subjectPrefix)-here.\(options.name).\($0)" }
    }

    /// Hears of others with the same name and instance.
    ///
    /// - Returns: What keeps the subscription.
    func listen(over link: any Link) throws(RelayFault) -> (any AnyObject & Sendable)? {
        guard let subject else { return nil }
        return try link.subscribe(subject, group: nil) { [self, weak link] message in
            let text = String(decoding: message.bytes, as: UTF8.self)
            // Its own greeting comes back, also over a connection that has not ended yet.
            if text == Self.hello + inbox || text == Self.here + inbox { return }
            let words = "another program is called \(context.options.name), and is the instance \(context.instance)"
            context.report(RelayFault(.sameInstance, subject: subject, words))
            if text.hasPrefix(Self.hello) { _ = link?.publish(RelayMessage(subject, text: Self.here + inbox)) }
        }
    }

    /// Says to others with the same name and instance that this one is there.
    func greet(over link: any Link) {
        if let subject { _ = link.publish(RelayMessage(subject, text: Self.hello + inbox)) }
    }
}
