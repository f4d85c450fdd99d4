import Foundation
import Tidings

/// Measures posts to an observer that accepts every sender. All other observers are limited to senders that don't post.
extension Workload {
    static let filteredObservers = Workload(
        name: "post beside filtered observers", parameterName: "filtered observers", unit: .nanoseconds(per: "post")
    ) {
        [0, 10_000].flatMap { [Contender.filed(besides: $0), .filedInFoundation(besides: $0)] }
    }
}

extension Contender {
    @MainActor
    fileprivate static func filed(besides others: Int) -> Contender {
        let center = NativeNotificationCenter()
        let senders = (0..<others).map { _ in Account() }
        var tokens = [center.addObserver(for: FromObject.self) { $0.sink.add(Handler.Kind0.weight(0)) }]
        for sender in senders {
            tokens.append(center.addObserver(for: FromObject.self, sender: sender) { $0.sink.add(1) })
        }
        return filed(.tidings, others, keeping: (senders, tokens)) { count, account, sink in
            for _ in 0..<count { center.post(FromObject(sender: account, sink: sink)) }
        }
    }

    @MainActor
    fileprivate static func filedInFoundation(besides others: Int) -> Contender {
        let center = NotificationCenter()
        let name = Notification.Name("benchmark.filed")
        let senders = (0..<others).map { _ in Account() }
        for sender in [nil] + senders {
            let weight = sender == nil ? Handler.Kind0.weight(0) : 1
            _ = center.addObserver(forName: name, object: sender, queue: nil) { $0.sink.add(weight) }
        }
        return filed(.foundationBlock, others, keeping: senders) { count, account, sink in
            for _ in 0..<count { center.post(name: name, object: account, userInfo: ["sink": sink.address]) }
        }
    }

    /// Posts from a sender to which no observer is limited.
    @MainActor
    private static func filed(
        _ subject: Subject, _ others: Int, keeping kept: Any, post: @escaping (Int, Account, Sink) -> Void
    ) -> Contender {
        let account = Account()
        return Contender(subject: subject, parameter: others) { count in
            let sink = Sink()
            let sample = Sample.onThread { post(count, account, sink) }
            try Miscount.check(subject, sink.take(), count * Handler.total(1))
            return withExtendedLifetime(kept) { sample }
        }
    }
}
