import Dispatch
import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

final class Proprietor: Sendable {}

private struct Numbered: TypedNotification {
    static let name = "EveryDeliveryTests.Numbered"
    let sender: Proprietor
    let number: Int
}

private struct Counting: NotificationDescriptor {
    typealias Payload = Int
    let name: Notification.Name
}

private struct Refused: Error, Equatable { let number: Int }

private actor Ledger {}

private struct OwnQueue: DeliveryQueue {
    func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        Task { while turn() { await Task.yield() } }
    }
}

/// A way to call an observer asynchronously, with a sender, a condition, a policy, and a closure that can throw.
struct ThrowingDelivery: Sendable, CustomTestStringConvertible {
    typealias Closure = @Sendable (Int) throws -> Void

    let testDescription: String
    let observe:
        @Sendable (any TypedNotificationCenter, Proprietor, FailureResponse, @escaping Closure) -> NotificationToken

    private static let ledger = Ledger()
    private static let owner = Proprietor()
    private static let queue = DispatchQueue(label: "EveryDeliveryTests", attributes: .concurrent)
    private static let operations = OperationQueue()
    private static let isOdd: @Sendable (Numbered) -> Bool = { $0.number % 2 == 1 }

    static let all = [
        ThrowingDelivery(testDescription: "on an actor") { center, sender, response, call in
            center.addObserver(
                ledger, on: .actor, for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { _, note in
                await Task.yield()
                try call(note.number)
            }
        },
        ThrowingDelivery(testDescription: "on the main actor") { center, sender, response, call in
            center.addObserver(
                on: .main, for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9), onFailure: response
            ) { note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "on the main actor, with an owner") { center, sender, response, call in
            center.addObserver(
                owner, on: .main, for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { _, note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "in a task") { center, sender, response, call in
            center.addObserver(
                on: .task, for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9), onFailure: response
            ) { note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "on a dispatch queue") { center, sender, response, call in
            center.addObserver(
                on: .queue(queue), for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "on a dispatch queue, with an owner") { center, sender, response, call in
            center.addObserver(
                owner, on: .queue(queue), for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { _, note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "on an operation queue") { center, sender, response, call in
            center.addObserver(
                on: .queue(operations), for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "on an operation queue that is passed as `queue:`, with an owner") {
            center, sender, response, call in
            center.addObserver(
                owner, for: Numbered.self, sender: sender, queue: operations, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { _, note in try call(note.number) }
        },
        ThrowingDelivery(testDescription: "on a custom queue") { center, sender, response, call in
            center.addObserver(
                on: .queue(OwnQueue()), for: Numbered.self, sender: sender, where: isOdd, buffering: .latest(9),
                onFailure: response
            ) { note in try call(note.number) }
        },
    ]

    /// The same deliveries except the custom queue, with a descriptor, on a Foundation center.
    fileprivate static func described(by counting: Counting, on center: NotificationCenter) -> [ThrowingDelivery] {
        let isOdd: @Sendable (Int) -> Bool = { $0 % 2 == 1 }
        return [
            ThrowingDelivery(testDescription: "on an actor") { _, sender, response, call in
                center.addObserver(
                    ledger, on: .actor, descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { _, number in
                    await Task.yield()
                    try call(number)
                }
            },
            ThrowingDelivery(testDescription: "on the main actor") { _, sender, response, call in
                center.addObserver(
                    on: .main, descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { number in
                    await Task.yield()
                    try call(number)
                }
            },
            ThrowingDelivery(testDescription: "on the main actor, with an owner") { _, sender, response, call in
                center.addObserver(
                    owner, on: .main, descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { _, number in try call(number) }
            },
            ThrowingDelivery(testDescription: "in a task") { _, sender, response, call in
                center.addObserver(
                    on: .task, descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { number in try call(number) }
            },
            ThrowingDelivery(testDescription: "on a dispatch queue") { _, sender, response, call in
                center.addObserver(
                    on: .queue(queue), descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { number in try call(number) }
            },
            ThrowingDelivery(testDescription: "on an operation queue") { _, sender, response, call in
                center.addObserver(
                    on: .queue(operations), descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { number in try call(number) }
            },
            ThrowingDelivery(testDescription: "on a dispatch queue, with an owner") { _, sender, response, call in
                center.addObserver(
                    owner, on: .queue(queue), descriptor: counting, object: sender, where: isOdd, buffering: .latest(9),
                    onFailure: response
                ) { _, number in try call(number) }
            },
            ThrowingDelivery(testDescription: "on an operation queue, with an owner") { _, sender, response, call in
                center.addObserver(
                    owner, on: .queue(operations), descriptor: counting, object: sender, where: isOdd,
                    buffering: .latest(9), onFailure: response
                ) { _, number in try call(number) }
            },
        ]
    }
}

/// Tests every kind of delivery (in an actor, in a task, on a queue and others), each with all parameters that it
/// accepts.
@Suite(.timeLimit(.minutes(2))) struct EveryDeliveryTests {
    private let account = Proprietor()
    private let other = Proprietor()
    private let received = ReceivedValues<Int>()
    private let errors = ReceivedValues<Int>()

    private var response: FailureResponse {
        .call { [errors] error in errors.append((error as? Refused)?.number ?? 0) }
    }

    private static func call(noting received: ReceivedValues<Int>) -> ThrowingDelivery.Closure {
        { number in
            received.append(number)
            if number >= 3 { throw Refused(number: number) }
        }
    }

    @Test(
        arguments: ThrowingDelivery.all,
        [NativeNotificationCenter(), NotificationCenter()] as [any TypedNotificationCenter])
    func `an observer with any delivery can have a sender, a condition and a policy, and throw errors`(
        _ delivery: ThrowingDelivery, center: any TypedNotificationCenter
    ) async {
        let token = delivery.observe(center, account, response, Self.call(noting: received))
        for number in 1...2 { await center.deliver(Numbered(sender: account, number: number)) }
        await center.deliver(Numbered(sender: other, number: 3))
        let receipt = await center.deliver(Numbered(sender: account, number: 3))
        #expect(receipt.failures.map { $0.error as? Refused } == [Refused(number: 3)])
        #expect(receipt.failures.first?.place.fileID.description.contains("EveryDeliveryTests") == true)
        // The observer threw an error for 3. It still receives 5, because this failure response doesn't end the
        // observation.
        center.post(Numbered(sender: account, number: 5))
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(received.values == [1, 3, 5] && errors.values == [3, 5])
        token.cancel()
        #expect(center.post(Numbered(sender: account, number: 7)) == 0)
    }

    @Test(arguments: ThrowingDelivery.all) func `an observer's error can end the observation and reaches monitors`(
        _ delivery: ThrowingDelivery
    ) async {
        let (center, monitor) = (NativeNotificationCenter(), RecordingMonitor())
        let attachment = center.attach(monitor)
        let token = delivery.observe(center, account, .end, Self.call(noting: received))
        let receipt = await center.deliver(Numbered(sender: account, number: 3))
        #expect(receipt.failures.count == 1 && monitor.failures.count == 1 && monitor.deliveries.count == 1)
        #expect(!token.isActive && center.post(Numbered(sender: account, number: 5)) == 0)
        #expect(received.values == [3])
        withExtendedLifetime(attachment) {}
    }

    @Test func `an observer of a descriptor can have a sender, a condition and a policy, and throw errors`()
        async throws
    {
        let (center, counting) = (NotificationCenter(), Counting(name: .init("EveryDeliveryTests.Counting")))
        for delivery in ThrowingDelivery.described(by: counting, on: center) {
            let (received, errors) = (ReceivedValues<Int>(), ReceivedValues<Int>())
            let response = FailureResponse.call { errors.append(($0 as? Refused)?.number ?? 0) }
            let token = delivery.observe(center, account, response, Self.call(noting: received))
            for number in 1...3 { try center.post(counting, payload: number, object: account) }
            try center.post(counting, payload: 3, object: other)
            #expect(await center.drain(within: .seconds(600)).isEmpty)
            #expect(received.values == [1, 3] && errors.values == [3], "\(delivery.testDescription)")
            let rows = center.statistics.rows.filter { $0.subject.name == counting.name.rawValue }
            #expect(rows.map(\.drops) == [0], "\(delivery.testDescription)")
            token.cancel()
        }
    }

    @Test
    func `onFailure closures receive the errors of observers of descriptors and of observers on queues`() async throws {
        let (center, counting) = (NotificationCenter(), Counting(name: .init("EveryDeliveryTests.Closures")))
        let (ledger, queue, tokens) = (Ledger(), OperationQueue(), Tokens())
        let refuse: @Sendable (Int) throws -> Void = { throw Refused(number: $0) }
        center.addObserver(
            ledger, on: .actor, descriptor: counting, onFailure: .call { [errors] _ in errors.append(1) }
        ) {
            _, number in
            try refuse(number)
        }
        tokens.append(
            center.addObserver(on: .main, descriptor: counting, onFailure: .call { [errors] _ in errors.append(2) }) {
                try refuse($0)
            })
        center.addObserver(
            account, on: .main, descriptor: counting, onFailure: .call { [errors] _ in errors.append(3) }
        ) {
            _, number in try refuse(number)
        }
        tokens.append(
            center.addObserver(on: .task, descriptor: counting, onFailure: .call { [errors] _ in errors.append(4) }) {
                try refuse($0)
            })
        tokens.append(
            center.addObserver(
                on: .queue(queue), descriptor: counting, onFailure: .call { [errors] _ in errors.append(5) }
            ) {
                try refuse($0)
            })
        tokens.append(
            center.addObserver(
                on: .queue(queue), for: Numbered.self, onFailure: .call { [errors] _ in errors.append(6) }
            ) {
                try refuse($0.number)
            })
        tokens.append(
            center.addObserver(
                on: .queue(queue), for: Numbered.self, sender: account,
                onFailure: .call { [errors] _ in errors.append(7) }
            ) { try refuse($0.number) })
        center.addObserver(
            account, on: .queue(queue), for: Numbered.self, onFailure: .call { [errors] _ in errors.append(8) }
        ) {
            _, note in try refuse(note.number)
        }
        center.addObserver(
            account, on: .queue(queue), for: Numbered.self, sender: account,
            onFailure: .call { [errors] _ in errors.append(9) }
        ) { _, note in try refuse(note.number) }
        center.addObserver(
            account, on: .queue(queue), descriptor: counting, onFailure: .call { [errors] _ in errors.append(10) }
        ) {
            _, number in try refuse(number)
        }
        try center.post(counting, payload: 1)
        center.post(Numbered(sender: account, number: 1))
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(errors.values.sorted() == Array(1...10))
    }

    @MainActor
    @Test
    func `observers of a main-actor descriptor can have a condition, and rejected posts aren't counted`() throws {
        let (center, name) = (NotificationCenter(), Notification.Name("EveryDeliveryTests.Moved"))
        let moved = Moved(name: name)
        let (screen, tokens) = (Screen(), Tokens())
        var numbers: [Int] = []
        tokens.append(
            center.addObserver(descriptor: moved, where: { screen.isOn && $0.number > 1 }) { numbers.append($0.number) }
        )
        tokens.append(
            center.addObserver(descriptor: moved, object: screen, where: { $0.number > 1 }) {
                numbers.append($0.number)
            })
        center.addObserver(screen, descriptor: moved, where: { $0.number > 1 }) { me, _ in me.count += 1 }
        center.addObserver(screen, descriptor: moved, object: screen, where: { $0.number > 1 }) { me, _ in me.count += 1
        }
        for number in 1...2 { try center.post(moved, payload: .init(number: number), object: screen) }
        screen.isOn = false
        try center.post(moved, payload: .init(number: 3), object: screen)
        #expect(numbers == [2, 2, 3] && screen.count == 4)
        #expect(center.statistics.rows.first { $0.subject.name == name.rawValue }?.deliveries == 7)
    }
}

private struct Moved: MainActorNotificationDescriptor {
    final class Payload {
        let number: Int
        init(number: Int) { self.number = number }
    }
    let name: Notification.Name
}

@MainActor private final class Screen {
    var isOn = true
    var count = 0
}
