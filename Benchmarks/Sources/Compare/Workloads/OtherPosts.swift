import Tidings

extension Workload {
    static let otherPosts = Workload(
        name: "post in other places", parameterName: "observers", unit: .nanoseconds(per: "post"), statistic: .least
    ) {
        [
            PostingWay.plain.timed, PostingWay.nested.timed, .postingActor(), PostingWay.withTaskLocals.timed,
            PostingWay.fromObject.timed, PostingWay.fromProperty.timed, PostingWay.oneOfManySenders.timed,
            PostingWay.anyOfManySenders.timed,
        ]
    }
}

extension PostingWay {
    /// The observer of `Pong` posts a `Ping`, so every second post happens inside another post.
    fileprivate static let nested = PostingWay(subject: .tidings.with("every second one in a post"), posts: 2) {
        let center = NativeNotificationCenter()
        let tokens = [
            center.addObserver(for: Pong.self) { center.post(Ping(sink: $0.sink)) },
            center.addObserver(for: Ping.self) { $0.sink.add(Handler.Kind0.weight(0)) },
        ]
        return { count, sink in
            withExtendedLifetime(tokens) { for _ in 0..<count { center.post(Pong(sink: sink)) } }
        }
    }

    fileprivate static let withTaskLocals = PostingWay(subject: .tidings.with("with three task-local values")) {
        let post = plain.prepare()
        return { count, sink in
            Values.$first.withValue(1) {
                Values.$second.withValue(2) { Values.$third.withValue(3) { post(count, sink) } }
            }
        }
    }

    /// The sender is an object in a property. The property may change, so each post retains the object. On Apple's
    /// systems, observers refer to the object weakly. The object's reference counts are then in a side table, and a
    /// retain takes longer.
    fileprivate static let fromProperty = PostingWay(subject: .tidings.with("limited to an object in a property")) {
        let center = NativeNotificationCenter()
        let holder = Holder()
        let token = center.addObserver(for: FromObject.self, sender: holder.account) {
            $0.sink.add(Handler.Kind0.weight(0))
        }
        return { count, sink in
            withExtendedLifetime(token) {
                for _ in 0..<count { center.post(FromObject(sender: holder.account, sink: sink)) }
            }
        }
    }

    /// Each of the 1,000 senders has an observer.
    fileprivate static let oneOfManySenders = PostingWay(subject: .tidings.with("from one of 1,000 objects")) {
        let (center, senders, tokens) = manySenders()
        let sender = senders[0]
        return { count, sink in
            withExtendedLifetime((senders, tokens)) {
                for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) }
            }
        }
    }

    fileprivate static let anyOfManySenders = PostingWay(subject: .tidings.with("from each of 1,000 objects in turn")) {
        let (center, senders, tokens) = manySenders()
        return { count, sink in
            var next = 0
            withExtendedLifetime(tokens) {
                for _ in 0..<count {
                    center.post(FromObject(sender: senders[next], sink: sink))
                    next = next + 1 == senders.count ? 0 : next + 1
                }
            }
        }
    }

    private static func manySenders() -> (NativeNotificationCenter, [Account], [NotificationToken]) {
        let center = NativeNotificationCenter()
        let senders = (0..<1000).map { _ in Account() }
        let tokens = senders.map {
            center.addObserver(for: FromObject.self, sender: $0) { $0.sink.add(Handler.Kind0.weight(0)) }
        }
        return (center, senders, tokens)
    }
}

private final class Holder: @unchecked Sendable {  // used on the main actor
    var account = Account()
}

private enum Values {
    @TaskLocal static var first = 0
    @TaskLocal static var second = 0
    @TaskLocal static var third = 0
}

private actor Poster {
    private let signal = TidingsCenter()

    init() { signal.add(handlers: 1) }

    func post(_ count: Int, _ sink: Sink) -> Sample { Sample.onThread { signal.post(count, to: sink) } }
}

extension Contender {
    @MainActor
    fileprivate static func postingActor() -> Contender {
        let poster = Poster()
        let subject = Subject.tidings.with("in an actor")
        return Contender(subject: subject, parameter: 1) { count in
            let sink = Sink()
            let sample = await poster.post(count, sink)
            try Miscount.check(subject, sink.take(), count * Handler.total(1))
            return sample
        }
    }
}
