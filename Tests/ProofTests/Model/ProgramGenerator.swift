import Tidings

struct ProgramGenerator {
    /// The maximum nesting of observers that perform operations.
    static let depth = 4
    private static let places = 3

    private var random: SeededGenerator
    /// The ways in which the observers added so far are called.
    private var ways: [Way] = []
    private let isAsynchronous: Bool
    /// Some programs have one kind of notification with many observers, and others have a few observers of each kind.
    private let kinds: [Kind]

    /// Returns the program for a seed. If `isAsynchronous`, some observers are called after the post. If `finishes`,
    /// some programs finish the center once or twice, and then continue.
    static func program(seed: UInt64, isAsynchronous: Bool = false, finishes: Bool = false) -> Program {
        var generator = ProgramGenerator(seed: seed, isAsynchronous: isAsynchronous)
        let count = [30, 100, 100, 500][generator.random.below(4)]
        var program = generator.program(of: count, depth: 0)
        if finishes {
            for _ in 0..<generator.random.below(3) {
                program.insert(.finish, at: generator.random.below(program.count + 1))
            }
        }
        return program
    }

    private init(seed: UInt64, isAsynchronous: Bool) {
        random = SeededGenerator(seed: seed)
        self.isAsynchronous = isAsynchronous
        kinds = Array(Kind.allCases.shuffled(using: &random).prefix(1 + random.below(Kind.allCases.count)))
    }

    private mutating func program(of count: Int, depth: Int) -> Program {
        (0..<count).map { _ in operation(depth: depth) }
    }

    private mutating func operation(depth: Int) -> Operation {
        let kind = kinds[random.below(kinds.count)]
        if isAsynchronous, depth == 0, !ways.isEmpty, random.one(in: 4) {
            let observer = random.below(ways.count)
            return random.one(in: 6) ? .endActor(observer: observer) : .run(observer: observer)
        }
        switch random.below(ways.isEmpty ? 50 : 100) {
        case 0..<20: return .post(kind, sender: sender())
        case 20..<50: return add(kind, depth: depth)
        case 50..<60: return .cancel(observer: someObserver(depth: depth))
        case 60..<64: return .remove(observer: someObserver(depth: depth))
        case 64..<72: return .letGo(observer: someObserver(depth: depth))
        case 72..<77: return .drain(observer: someObserver(depth: depth))
        case 77..<85: return .look(observer: random.below(ways.count))
        case 85..<92: return .endOwner(random.below(Self.places))
        default: return .endSender(random.below(Self.places))
        }
    }

    /// Returns a random observer. For an operation that another observer performs, the result isn't an observer in a
    /// task: if the operation ended such an observer, it would depend on timing whether the next call had begun.
    private mutating func someObserver(depth: Int) -> Int {
        let observer = random.below(ways.count)
        return depth > 0 && ways[observer] == .task ? ways.firstIndex { $0 != .task } ?? ways.count : observer
    }

    private mutating func add(_ kind: Kind, depth: Int) -> Operation {
        let observer = ways.count
        let way = isAsynchronous ? way(of: kind) : .inPost
        ways.append(way)
        let owner = way == .inPost && random.one(in: 4) ? random.below(Self.places) : nil
        // Observers in tasks, and observers that are called at unpredictable times, retain notifications and their
        // senders for an unknown time, so these observers aren't limited to a sender.
        let isFixed = way == .task || way.isFree
        let sender = isFixed ? nil : sender()
        let acts = depth < Self.depth && !way.isFree && random.one(in: 3)
        let body = acts ? program(of: 1 + random.below(4), depth: depth + 1) : []
        return .add(observer: observer, kind, way, sender: sender, owner: owner, body: body)
    }

    private mutating func way(of kind: Kind) -> Way {
        let holdsObjects = kind == .ofObject || kind == .ofAny
        switch random.below(holdsObjects ? 70 : 100) {
        case 0..<30: return .inPost
        case 30..<50: return .actor(policy())
        case 50..<70: return .sequence(policy())
        case 70..<85: return .task
        case 85..<90: return .freeInActor
        case 90..<95: return .freeOnMainActor
        default: return .freeInTask
        }
    }

    private mutating func policy() -> BufferingPolicy {
        switch random.below(4) {
        case 0: .oldest(random.below(4))
        case 1: .latest(random.below(4))
        default: .unbounded
        }
    }

    private mutating func sender() -> Int? { random.one(in: 3) ? nil : random.below(Self.places) }
}
