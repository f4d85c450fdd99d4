import Foundation
import Tidings

extension Workload {
    static let addAndCancel = Workload(
        name: "add and cancel", parameterName: "other observers", unit: .nanoseconds(per: "observer")
    ) {
        let alone = Peer.installed.compactMap { peer in
            peer.make().map { Contender.adder(peer.subject, $0, others: 0) }
        }
        return alone + [.lateComer(), .adder(.tidings, TidingsCenter(), others: 1_000_000)] + limited
    }

    /// Adds and cancels observers that have an owner, or receive only the notifications of one object. The center has
    /// no other observers.
    @MainActor private static var limited: [Contender] {
        let (center, member, foundation) = (NativeNotificationCenter(), Member(), NotificationCenter())
        return [
            Contender(subject: .tidings.with("tied to an owner"), parameter: 0) { count in
                Sample.onThread {
                    for _ in 0..<count { center.addObserver(member, for: MemberChanged.self) { _, _ in }.cancel() }
                }
            },
            Contender(subject: .tidings.with("limited to an object"), parameter: 0) { count in
                Sample.onThread {
                    for _ in 0..<count { center.addObserver(for: MemberChanged.self, sender: member) { _ in }.cancel() }
                }
            },
            Contender(subject: .foundationBlock.with("limited to an object"), parameter: 0) { count in
                Sample.onThread {
                    for _ in 0..<count {
                        let token = foundation.addObserver(forName: .changed, object: member, queue: nil) { _ in }
                        foundation.removeObserver(token)
                    }
                }
            },
        ]
    }
}

private final class Member: Sendable {}

private struct MemberChanged: TypedNotification {
    let sender: Member
}

extension Notification.Name {
    fileprivate static let changed = Notification.Name("changed")
}

extension Contender {
    @MainActor
    fileprivate static func adder(_ subject: Subject, _ signal: any Signal, others: Int) -> Contender {
        signal.add(handlers: others)
        return Contender(subject: subject, parameter: others) { count in
            Sample.onThread { signal.addAndCancel(count) }
        } finish: {
            let sink = Sink()
            signal.post(1, to: sink)
            try Miscount.check(subject, sink.take(), Handler.total(others))
        }
    }

    @MainActor
    fileprivate static func lateComer() -> Contender {
        let (center, sink) = (NativeNotificationCenter(), Sink())
        center.post(Replayed(sink: sink))
        return Contender(subject: .replayed, parameter: 0) { count in
            let sample = Sample.onThread {
                for _ in 0..<count {
                    center.addObserver(for: Replayed.self) { $0.sink.add(Handler.Kind0.weight(0)) }.cancel()
                }
            }
            try Miscount.check(.replayed, sink.take(), count * Handler.total(1))
            return sample
        }
    }
}
