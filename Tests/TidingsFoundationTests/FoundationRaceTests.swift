import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import TidingsFoundation

extension CenterRegistry {
    fileprivate static func forwarderCount(of center: NotificationCenter) -> Int {
        find(center)?.state.withLock { $0.forwarders.count } ?? 0
    }
}

private struct Numbered: TypedNotification {
    static let name = "FoundationRaceTests.Numbered"
    let number: Int
}

private final class Start: Sendable {
    private let ready = Atomic(0)

    func wait(for threads: Int) {
        ready.wrappingAdd(1, ordering: .sequentiallyConsistent)
        while ready.load(ordering: .sequentiallyConsistent) < threads {}
    }
}

/// Tests the Foundation block that all observers of a notification name on a center share. In the first tests, several
/// threads add and cancel observers of one name.
@Suite(.offThePool) struct FoundationRaceTests {
    private func race(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        let start = Start()
        await withTaskGroup { group in
            for number in 0..<threads {
                group.addTask {
                    await onThread {
                        start.wait(for: threads)
                        body(number)
                    }
                }
            }
        }
    }

    @Test
    func `observers that several threads add for a new name receive each later notification once`()
        async
    {
        for _ in 0..<300 {
            let center = NotificationCenter()
            let received = (0..<3).map { _ in ReceivedValues<Int>() }
            let tokens = Tokens()
            await race(3) { number in
                tokens.append(center.addObserver(for: Numbered.self) { note in received[number].append(note.number) })
                // This thread's observer is registered. The observers of the other threads may not be registered yet.
                center.post(Numbered(number: number))
            }
            #expect(center.post(Numbered(number: 3)) == 3)
            #expect(CenterRegistry.forwarderCount(of: center) == 1)
            for number in 0..<3 {
                #expect(received[number].values.filter { $0 == number }.count == 1)
                #expect(received[number].values.filter { $0 == 3 }.count == 1)
                #expect(Set(received[number].values).count == received[number].count)
            }
            tokens.cancel()
        }
    }

    @Test
    func `no notification is lost when a name's last observer ends while another thread starts observing the name`()
        async
    {
        let center = NotificationCenter()
        await race(4) { number in
            for round in 0..<2_000 {
                let own = number * 10_000 + round
                let received = ReceivedValues<Int>()
                let token = center.addObserver(for: Numbered.self) { note in
                    if note.number == own { received.append(own) }
                }
                center.post(Numbered(number: own))
                token.cancel()
                // At this moment, the name may have no observer.
                center.post(Numbered(number: own))
                if received.count != 1 { Issue.record("\(received.count) calls instead of one") }
            }
        }
        #expect(center.post(Numbered(number: 0)) == 0)
        #expect(center.observations.isEmpty)
    }

    @Test func `the block of a name that is no longer observed is removed by the next post of that name`() {
        let center = NotificationCenter()
        center.addObserver(for: Numbered.self) { _ in }.cancel()
        #expect(CenterRegistry.forwarderCount(of: center) == 1)
        let token = center.addObserver(for: Numbered.self) { _ in }
        #expect(center.post(Numbered(number: 1)) == 1)
        #expect(CenterRegistry.forwarderCount(of: center) == 1)
        token.cancel()
        center.post(name: Notification.Name(Numbered.name), object: nil)
        #expect(CenterRegistry.forwarderCount(of: center) == 0)
        #expect(center.post(Numbered(number: 2)) == 0)
    }

    @Test func `few blocks remain for names that were observed once and never posted`() {
        let center = NotificationCenter()
        let kept = (0..<10).map { number in
            center.addObserver(descriptor: PayloadDescriptor<Int>(name: Notification.Name("kept \(number)"))) { _ in }
        }
        for number in 0..<10_000 {
            center.addObserver(descriptor: PayloadDescriptor<Int>(name: Notification.Name("\(number)"))) { _ in }
                .cancel()
        }
        #expect(CenterRegistry.forwarderCount(of: center) <= 32)
        #expect(center.observations.count == 10)
        withExtendedLifetime(kept) {}
    }
}
