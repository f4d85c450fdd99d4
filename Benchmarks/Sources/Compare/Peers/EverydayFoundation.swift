import Foundation
import Tidings
import TidingsFoundation

extension PostingWay {
    static let throughFoundation = PostingWay(subject: .throughFoundation) {
        let center = NotificationCenter()
        let token = center.addObserver(for: Ping.self) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(Ping(sink: sink)) } }
        }
    }

    static let throughFoundationFromObject = PostingWay(subject: .throughFoundationFromObject) {
        let center = NotificationCenter()
        let sender = Account()
        let token = center.addObserver(for: FromObject.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) {
                for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) }
            }
        }
    }

    static let foundationBlock = PostingWay(subject: .foundationBlock) {
        let center = NotificationCenter()
        let token = center.addObserver(forName: everydayName, object: nil, queue: nil) {
            $0.sink.add(Handler.Kind0.weight(0))
        }
        return { count, sink in
            withExtendedLifetime(token) {
                for _ in 0..<count { center.post(name: everydayName, object: nil, userInfo: ["sink": sink.address]) }
            }
        }
    }

    static let foundationFromObject = PostingWay(subject: .foundationFromObject) {
        let center = NotificationCenter()
        let sender = Account()
        let token = center.addObserver(forName: everydayName, object: sender, queue: nil) {
            $0.sink.add(Handler.Kind0.weight(0))
        }
        return { count, sink in
            withExtendedLifetime(token) {
                for _ in 0..<count { center.post(name: everydayName, object: sender, userInfo: ["sink": sink.address]) }
            }
        }
    }

    static let foundationOwned = PostingWay(subject: .foundationBlock.with("tied to an owner")) {
        let center = NotificationCenter()
        let owner = Account()
        let token = center.addObserver(forName: everydayName, object: nil, queue: nil) { [weak owner] note in
            if let owner { note.sink.add(owner.weight) }
        }
        return { count, sink in
            withExtendedLifetime((owner, token)) {
                for _ in 0..<count { center.post(name: everydayName, object: nil, userInfo: ["sink": sink.address]) }
            }
        }
    }

    static let foundationOnMain = PostingWay(subject: .foundationMainActorMessage) {
        let messages = FoundationMainActorMessages()
        messages.add(handlers: 1)
        return { count, sink in messages.post(count, to: sink) }
    }
}

private let everydayName = Notification.Name("benchmark.everyday")
