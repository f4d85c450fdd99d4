import TestSupport
import Testing
import Tidings

private protocol Kind: SendableMetatype {}
private enum Red: Kind {}
private enum Green: Kind {}
private enum Blue: Kind {}

private struct Step<K: Kind>: TypedNotification {
    let depth: Int
    let seed: UInt64
}

/// Random numbers that are repeatable with the same seed (SplitMix64).
private struct Dice {
    var state: UInt64

    mutating func roll(_ sides: UInt64 = .max) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return (word ^ (word >> 31)) % sides
    }
}

/// Observers of three types that post, deliver to, drain and replace each other at random.
private final class Tangle: Sendable {
    private let center = NativeNotificationCenter()
    private let tokens = Lock<[NotificationToken]>([])
    private let actor = Ledger()

    init() {
        for seed in 0..<6 { observe(UInt64(seed)) }
    }

    func act(depth: Int, seed: UInt64) async {
        var dice = Dice(state: seed)
        for _ in 0..<2 {
            let (kind, seed) = (dice.roll(3), dice.roll())
            switch dice.roll(8) {
            case 0: post(kind, depth, seed)
            case 1, 2: await deliver(kind, depth, seed)
            case 3: await Task { await self.deliver(kind, depth, seed) }.value
            case 4: _ = Task { await self.deliver(kind, depth, seed) }
            case 5:
                async let one: Void = deliver(kind, depth, seed)
                async let two: Void = deliver((kind + 1) % 3, depth, seed)
                _ = await (one, two)
            case 6: await drainOne(seed)
            default: await Task.yield()
            }
        }
    }

    private func post(_ kind: UInt64, _ depth: Int, _ seed: UInt64) {
        if depth == 3 { return }
        switch kind {
        case 0: center.post(Step<Red>(depth: depth + 1, seed: seed))
        case 1: center.post(Step<Green>(depth: depth + 1, seed: seed))
        default: center.post(Step<Blue>(depth: depth + 1, seed: seed))
        }
    }

    private func deliver(_ kind: UInt64, _ depth: Int, _ seed: UInt64) async {
        if depth == 3 { return }
        switch kind {
        case 0: await center.deliver(Step<Red>(depth: depth + 1, seed: seed))
        case 1: await center.deliver(Step<Green>(depth: depth + 1, seed: seed))
        default: await center.deliver(Step<Blue>(depth: depth + 1, seed: seed))
        }
    }

    private func drainOne(_ seed: UInt64) async {
        let token = tokens.withLock { tokens in tokens.remove(at: Int(seed % UInt64(tokens.count))) }
        observe(seed)
        await token.cancelAndDrain()
    }

    private func observe(_ seed: UInt64) {
        let token =
            switch seed % 3 {
            case 0: observe(Step<Red>.self, seed)
            case 1: observe(Step<Green>.self, seed)
            default: observe(Step<Blue>.self, seed)
            }
        tokens.withLock { $0.append(token) }
    }

    private func observe<K: Kind>(_ type: Step<K>.Type, _ seed: UInt64) -> NotificationToken {
        if seed % 5 == 0 {
            return center.addObserver(actor, on: .actor, for: type, buffering: .latest(3)) { [weak self] _, note in
                self?.post(note.seed % 3, note.depth, note.seed)
            }
        }
        return center.addObserver(on: .task, for: type) { [weak self] note in
            await self?.act(depth: note.depth, seed: note.seed)
        }
    }

    /// Delivers from outside of all observers' calls, so the receipt has to be complete.
    func deliversCompletely() async -> Bool { await center.deliver(Step<Red>(depth: 3, seed: 0)).isComplete }
}

@Suite(.timeLimit(.minutes(2))) struct NothingHangsTests {
    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `observers that deliver to and drain each other at random all make progress`(seed: UInt64) async {
        let tangle = Tangle()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for step in 0..<100 { await tangle.act(depth: 0, seed: seed &+ UInt64(task * 1000 + step)) }
                }
            }
        }
        #expect(await tangle.deliversCompletely())
    }

    @Test func `a delivery to observers that are cancelled in the meantime returns`() async {
        let center = NativeNotificationCenter()
        for round in 0..<1000 {
            let ledger = Ledger()
            let policy = [BufferingPolicy.latest(4), .oldest(4), .unbounded][round % 3]
            let token = center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: policy) { ledger, note in
                ledger.add(note.number)
            }
            let posting = center.addObserver(for: Step<Red>.self) { _ in
                for number in 0..<4 { center.post(Numbered(number: number)) }
            }
            async let receipt = center.deliver(Step<Red>(depth: 0, seed: 0))
            if round % 2 == 0 { await Task.yield() }
            token.cancel()
            #expect(await receipt.isComplete)
            posting.cancel()
        }
    }
}
