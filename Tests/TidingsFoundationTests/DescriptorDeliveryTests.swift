import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Finished: NotificationDescriptor {
    typealias Payload = Int
    let name = Notification.Name("DescriptorDeliveryTests.Finished")
}

private final class Download: Sendable {}

private actor Ledger {
    private(set) var values: [Int] = []
    func add(_ value: Int) { values.append(value) }
}

@MainActor
private final class Screen {
    var values: [Int] = []
}

@Suite(.timeLimit(.minutes(2))) struct DescriptorDeliveryTests {
    private let center = NotificationCenter()
    private let download = Download()

    private func post() throws {
        try center.post(Finished(), payload: 1, object: download)
        try center.post(Finished(), payload: 3, object: Download())
        try center.post(Finished(), payload: 2, object: download)
    }

    @Test func `an actor receives the payloads of a descriptor`() async throws {
        let ledger = Ledger()
        let done = Gate()
        let token = center.addObserver(ledger, on: .actor, descriptor: Finished(), object: download) {
            ledger, payload in
            ledger.add(payload)
            if payload == 2 { done.open() }
        }
        try post()
        await done.wait()
        #expect(await ledger.values == [1, 2])
        #expect(center.observations.count == 1)
        token.cancel()
        #expect(center.observations.isEmpty)
    }

    @MainActor
    @Test func `main-actor observers of a descriptor receive the payloads, with or without an owner`() async throws {
        let done = Gate()
        var values: [Int] = []
        let screen = Screen()
        let token = center.addObserver(on: .main, descriptor: Finished()) { payload in values.append(payload) }
        let owned = center.addObserver(screen, on: .main, descriptor: Finished(), object: download) { screen, payload in
            screen.values.append(payload)
            if payload == 2 { done.open() }
        }
        try post()
        #expect(values.isEmpty)
        await done.wait()
        #expect(screen.values == [1, 2])
        token.cancel()
        owned.cancel()
        #expect(center.observations.isEmpty)
    }

    @MainActor
    @Test func `an observer of a descriptor on the main actor ends when its owner is deallocated`() throws {
        // Nothing is posted while the owner exists, so no call retains the owner.
        var screen: Screen? = Screen()
        if let screen { center.addObserver(screen, on: .main, descriptor: Finished()) { _, _ in } }
        #expect(center.observations.count == 1)
        screen = nil
        try post()
        #expect(center.observations.isEmpty)
    }

    @Test func `a task receives the payloads of a descriptor, one at a time`() async throws {
        let done = Gate()
        let ledger = Ledger()
        let token = center.addObserver(on: .task, descriptor: Finished()) { payload in
            await ledger.add(payload)
            if payload == 2 { done.open() }
        }
        try post()
        await done.wait()
        #expect(await ledger.values == [1, 3, 2])
        withExtendedLifetime(token) {}
    }

    @Test func `a policy limits the payloads of a descriptor that are queued on an operation queue`()
        throws
    {
        let queue = OperationQueue()
        queue.isSuspended = true
        let received = ReceivedValues<Int>()
        let token = center.addObserver(on: .queue(queue), descriptor: Finished(), buffering: .latest(1)) { payload in
            received.append(payload)
        }
        try post()
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(received.values == [2])
        #expect(token.droppedCount == 2)
    }

    @Test func `observers of a descriptor on a queue receive their owner until it is deallocated`() async throws {
        let (queue, operations) = (DispatchQueue(label: "DescriptorDeliveryTests"), OperationQueue())
        let received = ReceivedValues<Int>()
        var owner: Download? = Download()
        weak let end = owner
        if let owner {
            let known = ObjectIdentifier(owner)
            center.addObserver(owner, on: .queue(queue), descriptor: Finished(), object: download) { me, payload in
                if ObjectIdentifier(me) == known { received.append(payload) }
            }
            center.addObserver(owner, on: .queue(operations), descriptor: Finished(), object: download) { me, payload in
                if ObjectIdentifier(me) == known { received.append(10 * payload) }
            }
        }
        try post()
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(received.values.sorted() == [1, 2, 10, 20])
        #expect(center.observations.map(\.delivery) == [.queue, .queue])
        #expect(center.observations.allSatisfy { $0.owner?.contains("Download (0x") == true })
        owner = nil
        // Wait for the work items on both queues, because each work item retains the owner until it has ended.
        queue.sync {}
        await withCheckedContinuation { done in operations.addBarrierBlock { done.resume() } }
        #expect(end == nil)
        try post()
        #expect(center.observations.isEmpty)
        #expect(received.count == 4)
    }

    @Test
    func `payloads queued for an owner's observer of a descriptor are discarded when the observer is removed`()
        throws
    {
        let queue = DispatchQueue(label: "DescriptorDeliveryTests")
        queue.suspend()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(download, on: .queue(queue), descriptor: Finished()) { _, payload in
            received.append(payload)
        }
        try post()
        #expect(center.observations.map(\.queued) == [3])
        center.removeObservers(of: download)
        #expect(!token.isActive)
        queue.resume()
        queue.sync {}
        #expect(received.values.isEmpty)
    }

    @Test func `a payload that a descriptor can't decode is reported immediately`() throws {
        Reports.collect()
        let queue = OperationQueue()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(on: .queue(queue), descriptor: Finished()) { payload in received.append(payload)
        }
        center.post(name: Finished().name, object: nil, userInfo: ["tidings.payload": "one"])
        queue.waitUntilAllOperationsAreFinished()
        #expect(received.values.isEmpty)
        #expect(Reports.of(Finished().name.rawValue).map(\.kind) == [.undecodable])
        withExtendedLifetime(token) {}
    }
}
