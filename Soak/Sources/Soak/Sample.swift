import Synchronization
import Tidings

/// Takes random steps in the thread's own center, and compares the calls with a model of the documented behavior: which
/// observers are called, in which order, and how often. Meanwhile, the posts of other threads compete for the same
/// lanes, in which a post marks that it is running.
struct Sampling: Activity {
    let name = "sample of the model"
    let world: World

    let isPlanted: Bool

    func step(in slot: Int, _ random: inout RandomNumbers) {
        // Most steps are skipped, because one step takes as long as many steps of other activities.
        if random.below(50) != 0 { return }
        let sample = Sample(world.captured)
        for number in 0..<50 {
            let step = sample.step(&random)
            let isWrong = isPlanted && number == 49
            world.referee.expect(
                sample.called == sample.expected && !isWrong,
                "after \(step), observers \(sample.called.prefix(100)) were called, expected \(sample.expected.prefix(100))"
            )
        }
        sample.end()
    }
}

private struct Sampled: TypedNotification {
    let sender: Source
    let depth: Int
}

private final class Sample: @unchecked Sendable {  // one thread makes it, uses it and ends it
    /// What an observer does when it is called, besides recording the call.
    private enum Deed {
        case nothing
        case cancel(Int)
        case add
        case post(Int)
    }

    private struct Modelled {
        let sender: Int?
        let deed: Deed
        let isOwned: Bool
        var isLive = true
    }

    private let center = NativeNotificationCenter()
    private let captured: Counter
    private let sources = (0..<3).map { _ in Source() }
    private var tokens: [NotificationToken?] = []
    private var owners: [Source?] = []
    private var modelled: [Modelled] = []

    /// The number of deallocated owners.
    private var deadOwners = 0
    private var foundDead = 0

    /// The numbers of the observers that the center called, and of the observers that it should have called. In
    /// `called`, -1 means that a post returned a wrong count.
    private(set) var called: [Int] = []
    private(set) var expected: [Int] = []

    init(_ captured: Counter) { self.captured = captured }

    func step(_ random: inout RandomNumbers) -> String {
        called = []
        expected = []
        let sender = random.below(sources.count)
        switch random.below(10) {
        case 0..<4:
            let limit = random.below(2) == 0 ? nil : sender
            let other = random.below(modelled.count + 1)
            let deed: Deed =
                switch random.below(8) {
                case 0: .cancel(other)
                case 1: .add
                case 2: .post(sender)
                default: .nothing
                }
            let isOwned = random.below(2) == 0
            modelled.append(Modelled(sender: limit, deed: deed, isOwned: isOwned))
            add(limit, deed, isOwned: isOwned)
            return "an observer was added"
        case 4 where !modelled.isEmpty:
            let number = random.below(modelled.count)
            if modelled[number].isLive, modelled[number].isOwned { deadOwners += 1 }
            modelled[number].isLive = false
            cancel(number)
            return "an observer was cancelled"
        default:
            let count = center.post(Sampled(sender: sources[sender], depth: 0))
            let modelledCount = modelPost(sender, depth: 0)
            // A post that finds an observer's owner deallocated still counts the observer once.
            foundDead += count - modelledCount
            if count < modelledCount || foundDead > deadOwners { called.append(-1) }
            return "a post that called \(count) observers, expected \(modelledCount)"
        }
    }

    func end() {
        for number in tokens.indices { cancel(number) }
    }

    // MARK: The center

    private func add(_ sender: Int?, _ deed: Deed, isOwned: Bool) {
        let number = tokens.count
        let capture = Captured(captured)
        // The observer doesn't retain the sample, because that would be a cycle.
        let observer: @Sendable (Sampled) -> Void = { [unowned self] note in
            called.append(number)
            perform(deed, at: note.depth)
            withExtendedLifetime(capture) {}
        }
        let source = sender.map { sources[$0] }
        if isOwned {
            let owner = Source()
            center.addObserver(owner, for: Sampled.self, sender: source) { _, note in observer(note) }
            owners.append(owner)
            tokens.append(nil)
        } else {
            owners.append(nil)
            tokens.append(center.addObserver(for: Sampled.self, sender: source, using: observer))
        }
    }

    private func cancel(_ number: Int) {
        if number >= tokens.count { return }
        owners[number] = nil
        tokens[number]?.cancel()
        tokens[number] = nil
    }

    private func perform(_ deed: Deed, at depth: Int) {
        switch deed {
        case .nothing: break
        // Observers with an owner are excluded, because a running call keeps the owner alive.
        case .cancel(let number): if number < owners.count, owners[number] == nil { cancel(number) }
        case .add: add(nil, .nothing, isOwned: false)
        case .post(let sender):
            if depth < 2 { center.post(Sampled(sender: sources[sender], depth: depth + 1)) }
        }
    }

    // MARK: The model

    private func modelPost(_ sender: Int, depth: Int) -> Int {
        var calls = 0
        // The post calls the observers that were registered when it began, in the order of registration. It skips those
        // that have ended since.
        for number in modelled.indices {
            let observer = modelled[number]
            if !observer.isLive || observer.sender.map({ $0 != sender }) == true { continue }
            expected.append(number)
            calls += 1
            switch observer.deed {
            case .nothing: break
            case .cancel(let number):
                if number < modelled.count, !modelled[number].isOwned { modelled[number].isLive = false }
            case .add: modelled.append(Modelled(sender: nil, deed: .nothing, isOwned: false))
            case .post(let sender): if depth < 2 { _ = modelPost(sender, depth: depth + 1) }
            }
        }
        return calls
    }
}
