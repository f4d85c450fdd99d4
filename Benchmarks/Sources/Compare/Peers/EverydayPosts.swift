import Tidings
import TidingsFoundation

/// The loops aren't shared in a generic function, so that the compiler specializes each for its type of notification.
extension PostingWay {
    static let plain = PostingWay(subject: .tidings) {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Ping.self) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(Ping(sink: sink)) } }
        }
    }

    static let owned = PostingWay(subject: .owned) {
        let center = NativeNotificationCenter()
        let owner = Account()
        center.addObserver(owner, for: Ping.self) { $1.sink.add($0.weight) }
        return { count, sink in
            withExtendedLifetime(owner) { for _ in 0..<count { center.post(Ping(sink: sink)) } }
        }
    }

    static let fromObject = PostingWay(subject: .fromObject) {
        let center = NativeNotificationCenter()
        let sender = Account()
        let token = center.addObserver(for: FromObject.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) } }
        }
    }

    static let fromObjectOwned = PostingWay(subject: .fromObjectOwned) {
        let center = NativeNotificationCenter()
        let (sender, owner) = (Account(), Account())
        center.addObserver(owner, for: FromObject.self, sender: sender) { $1.sink.add($0.weight) }
        return { count, sink in
            withExtendedLifetime(owner) {
                for _ in 0..<count { center.post(FromObject(sender: sender, sink: sink)) }
            }
        }
    }

    static let fromOptional = PostingWay(subject: .fromOptional) {
        let center = NativeNotificationCenter()
        let sender = Optional(Account())
        let token = center.addObserver(for: FromOptional.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(FromOptional(sender: sender, sink: sink)) } }
        }
    }

    static let fromParty = PostingWay(subject: .fromParty) {
        let center = NativeNotificationCenter()
        let sender = Account() as any Party
        let token = center.addObserver(for: FromParty.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(FromParty(sender: sender, sink: sink)) } }
        }
    }

    static let fromActor = PostingWay(subject: .fromActor) {
        let center = NativeNotificationCenter()
        let sender = Vault()
        let token = center.addObserver(for: FromActor.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(FromActor(sender: sender, sink: sink)) } }
        }
    }

    static let fromInteger = PostingWay(subject: .fromInteger) {
        let center = NativeNotificationCenter()
        let sender = 74_656
        let token = center.addObserver(for: FromInteger.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(FromInteger(sender: sender, sink: sink)) } }
        }
    }

    static let fromString = PostingWay(subject: .fromString) {
        let center = NativeNotificationCenter()
        let sender = "account 74656"
        let token = center.addObserver(for: FromString.self, sender: sender) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(FromString(sender: sender, sink: sink)) } }
        }
    }

    static let onMain = PostingWay(subject: .onMain) {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: OnMain.self) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(OnMain(sink: sink)) } }
        }
    }

    static let replayed = PostingWay(subject: .replayed) {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Replayed.self) { $0.sink.add(Handler.Kind0.weight(0)) }
        return { count, sink in
            withExtendedLifetime(token) { for _ in 0..<count { center.post(Replayed(sink: sink)) } }
        }
    }

    static let replayedFromObject = PostingWay(subject: .replayedFromObject) {
        let center = NativeNotificationCenter()
        let sender = Account()
        let token = center.addObserver(for: ReplayedFromObject.self, sender: sender) {
            $0.sink.add(Handler.Kind0.weight(0))
        }
        return { count, sink in
            withExtendedLifetime((token, sender)) {
                for _ in 0..<count { center.post(ReplayedFromObject(sender: sender, sink: sink)) }
            }
        }
    }
}
