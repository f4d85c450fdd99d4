import Tidings
import TidingsConformance

struct AsynchronousRunner {
    private let race: AsynchronousRace
    private let thread: Int
    private let drains: BegunDrains
    private var random: SeededGenerator
    private var own: [(token: NotificationToken, racer: Racer)] = []
    private var sequences: [NotificationSequence<Shot<Tag0>>] = []
    private var serial = 0

    init(in race: AsynchronousRace, thread: Int, _ drains: BegunDrains) {
        self.race = race
        self.thread = thread
        self.drains = drains
        random = SeededGenerator(seed: UInt64(thread))
    }

    mutating func step() {
        switch random.below(20) {
        case 0..<3:
            serial += 1
            race.post(thread: thread, serial: serial)
        case 3..<7:
            if own.count == 2 { end(own.removeFirst()) }
            add()
        case 7..<10: if !own.isEmpty { end(own.remove(at: random.below(own.count))) }
        case 10:
            let sender = race.targets[random.below(4)]
            sequences = [race.center.notifications(of: Shot<Tag0>.self, sender: sender, buffering: .latest(2))]
        default: for entry in own { look(entry.token) }
        }
    }

    private func look(_ token: NotificationToken) {
        race.referee.expect(token.isActive, "a token is inactive although nothing has ended its observer")
        race.referee.expect(token.droppedCount >= 0, "the number of dropped notifications is negative")
    }

    private mutating func add() {
        let racer = Racer(race.referee)
        let member = race.closures.member()
        let observing = race.asynchronously
        let token =
            switch random.below(3) {
            case 0:
                observing.observe(
                    on: race.actors[random.below(4)], Shot<Tag0>.self,
                    sender: random.one(in: 2) ? race.targets[random.below(4)] : nil,
                    buffering: [.unbounded, .latest(3), .oldest(3)][random.below(3)], in: race.center
                ) { _, shot in
                    member.touch()
                    racer.begin(shot)
                    racer.finish()
                }
            case 1:
                observing.observeOnMainActor(Shot<Tag0>.self, in: race.center) { shot in
                    member.touch()
                    racer.begin(shot)
                    racer.finish()
                }
            default:
                observing.observeInTask(Shot<Tag0>.self, in: race.center) { shot in
                    member.touch()
                    racer.begin(shot)
                    if shot.serial.isMultiple(of: 8) { await Task.yield() }
                    racer.finish()
                }
            }
        own.append((token, racer))
    }

    private mutating func end(_ entry: (token: NotificationToken, racer: Racer)) {
        let token = entry.token
        if random.one(in: 4) {
            let (racer, referee) = (entry.racer, race.referee)
            drains.begin {
                await token.cancelAndDrain()
                racer.noteDrain(by: referee)
            }
        } else {
            token.cancel()
            entry.racer.end.note(by: race.referee)
        }
    }

    mutating func finish() {
        while let entry = own.popLast() { end(entry) }
        sequences = []
    }
}
