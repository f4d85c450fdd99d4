/// Makes random programs.
struct ProgramGenerator {
    /// How deep observers act inside observers.
    static let depth = 4
    private static let places = 3

    private var random: SeededGenerator
    private var observers = 0
    /// Some programs have one kind of notification and many observers of it, others a few of each.
    private let kinds: [Kind]

    /// The program of a seed.
    static func program(seed: UInt64) -> Program {
        var generator = ProgramGenerator(seed: seed)
        let count = [30, 100, 100, 500][generator.random.below(4)]
        return generator.program(of: count, depth: 0)
    }

    private init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        kinds = Array(Kind.allCases.shuffled(using: &random).prefix(1 + random.below(Kind.allCases.count)))
    }

    private mutating func program(of count: Int, depth: Int) -> Program {
        (0..<count).map { _ in operation(depth: depth) }
    }

    private mutating func operation(depth: Int) -> Operation {
        let kind = kinds[random.below(kinds.count)]
        switch random.below(observers == 0 ? 50 : 100) {
        case 0..<20: return .post(kind, sender: sender())
        case 20..<50: return add(kind, depth: depth)
        case 50..<60: return .cancel(observer: random.below(observers))
        case 60..<64: return .remove(observer: random.below(observers))
        case 64..<72: return .letGo(observer: random.below(observers))
        case 72..<77: return .drain(observer: random.below(observers))
        case 77..<85: return .look(observer: random.below(observers))
        case 85..<92: return .endOwner(random.below(Self.places))
        default: return .endSender(random.below(Self.places))
        }
    }

    private mutating func add(_ kind: Kind, depth: Int) -> Operation {
        let observer = observers
        observers += 1
        let owner = random.one(in: 4) ? random.below(Self.places) : nil
        let sender = sender()
        let acts = depth < Self.depth && random.one(in: 3)
        let body = acts ? program(of: 1 + random.below(4), depth: depth + 1) : []
        return .add(observer: observer, kind, sender: sender, owner: owner, body: body)
    }

    private mutating func sender() -> Int? { random.one(in: 3) ? nil : random.below(Self.places) }
}
