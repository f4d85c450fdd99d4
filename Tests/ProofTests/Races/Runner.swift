import Tidings
import TidingsConformance

struct Runner {
    private static let observers = 4

    private let race: Race
    private let thread: Int
    private var random: SeededGenerator
    private var own: [Entrant] = []
    private var serial = 0

    init(in race: Race, thread: Int) {
        self.race = race
        self.thread = thread
        random = SeededGenerator(seed: UInt64(thread))
    }

    mutating func step() {
        let tag = race.tags[random.below(race.tags.count)]
        switch random.below(10) {
        case 0..<4:
            serial += 1
            race.post(tag, thread: thread, serial: serial)
        case 4..<7:
            if own.count == Self.observers { end(own.removeFirst()) }
            let entrant = add(tag)
            if random.one(in: 4) { race.board.withLock { $0.append(entrant) } } else { own.append(entrant) }
        case 7..<9: if !own.isEmpty { end(own.remove(at: random.below(own.count))) }
        default: if let entrant = race.board.withLock({ $0.popLast() }) { end(entrant) }
        }
    }

    private mutating func add<Tag: ShotTag>(_ tag: Tag.Type) -> Entrant {
        let end = Referee.End()
        let (referee, member) = (race.referee, race.closures.member())
        let observer = { @Sendable (shot: Shot<Tag>) in
            member.touch()
            referee.countCall()
            referee.expect(!end.isBefore(shot.time), "a post that began after the cancel called the observer")
        }
        let sender = random.one(in: 3) ? race.targets[random.below(4)] : nil
        if random.one(in: 4) {
            let token = race.center.addObserver(race.owners[thread], for: Shot<Tag>.self, sender: sender) { _, shot in
                observer(shot)
            }
            return Entrant(token, end: end, isOwned: true)
        }
        if let native = race.center as? NativeNotificationCenter, random.one(in: 2) {
            let token = native.addObserver(for: Shot<Tag>.self, sender: sender, using: observer)
            return Entrant(token, end: end)
        }
        return Entrant(
            race.center.addObserver(for: Shot<Tag>.self, sender: sender, using: observer), end: end)
    }

    mutating func finish() {
        while let entrant = own.popLast() { end(entrant) }
    }

    private mutating func end(_ entrant: Entrant) {
        let native = race.center as? NativeNotificationCenter
        switch random.below(3) {
        case 0 where !entrant.isOwned: entrant.letGo()
        case 1 where native != nil: native.map { entrant.remove(from: $0) }
        default: entrant.cancel()
        }
        entrant.noteEnd(by: race.referee)
    }
}
