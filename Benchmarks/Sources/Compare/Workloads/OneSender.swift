import Foundation
import Tidings

/// Measures posts from one sender. None, all or half of the observers are limited to this sender. In two further
/// contenders, observers with owners are limited to this sender or to another one.
extension Workload {
    static let oneSender = Workload(
        name: "post from one sender", parameterName: "observers", unit: .nanoseconds(per: "post"), statistic: .least
    ) {
        [2, 10, 1000].flatMap { observers in
            let ours = Limited.allCases.map { PostingWay.observed(by: observers, $0).timed }
            let owned = [PostingWay.observedByOwners(observers).timed, PostingWay.besideOwners(observers).timed]
            return ours + owned + [PostingWay.foundation(observers: observers).timed]
        }
    }
}

private enum Limited: String, CaseIterable {
    case none = "none is limited"
    case all = "all are limited to it"
    case half = "every second one is limited to it"

    func contains(_ index: Int) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .half: index.isMultiple(of: 2)
        }
    }
}

extension PostingWay {
    fileprivate static func observed(by observers: Int, _ limited: Limited) -> PostingWay {
        PostingWay(subject: .tidings.with(limited.rawValue), observers: observers, total: observers) {
            let center = NativeNotificationCenter()
            let sender = Account()
            let tokens = (0..<observers).map { index in
                limited.contains(index)
                    ? center.addObserver(for: FromObject.self, sender: sender) { $0.sink.add(1) }
                    : center.addObserver(for: FromObject.self) { $0.sink.add(1) }
            }
            return { count, sink in
                withExtendedLifetime(tokens) {
                    for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) }
                }
            }
        }
    }

    fileprivate static func observedByOwners(_ observers: Int) -> PostingWay {
        PostingWay(subject: .observedByOwners, observers: observers, total: observers) {
            let center = NativeNotificationCenter()
            let sender = Account()
            let owners = (0..<observers).map { _ in Account() }
            for owner in owners { center.addObserver(owner, for: FromObject.self, sender: sender) { $1.sink.add(1) } }
            return { count, sink in
                withExtendedLifetime(owners) {
                    for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) }
                }
            }
        }
    }

    /// Posts to one observer. The other observers are limited to another sender, and each of them has its own owner.
    /// The post checks whether these owners are alive.
    fileprivate static func besideOwners(_ observers: Int) -> PostingWay {
        PostingWay(subject: .besideOwners, observers: observers, total: 1) {
            let center = NativeNotificationCenter()
            let (sender, other) = (Account(), Account())
            let owners = (0..<observers).map { _ in Account() }
            for owner in owners { center.addObserver(owner, for: FromObject.self, sender: other) { $1.sink.add(1) } }
            let token = center.addObserver(for: FromObject.self, sender: sender) { $0.sink.add(1) }
            return { count, sink in
                withExtendedLifetime((owners, other, token)) {
                    for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) }
                }
            }
        }
    }

    fileprivate static func foundation(observers: Int) -> PostingWay {
        PostingWay(subject: .foundationFromObject, observers: observers, total: observers) {
            let center = NotificationCenter()
            let name = Notification.Name("benchmark.sender")
            let sender = Account()
            let tokens = (0..<observers).map { _ in
                center.addObserver(forName: name, object: sender, queue: nil) { $0.sink.add(1) }
            }
            return { count, sink in
                withExtendedLifetime(tokens) {
                    for _ in 0..<count { center.post(name: name, object: sender, userInfo: ["sink": sink.address]) }
                }
            }
        }
    }
}

extension Subject {
    static let observedByOwners = Subject.tidings.with("all are limited to it, and have owners")
    static let besideOwners = Subject.tidings.with("beside as many of another sender, with owners")
}
