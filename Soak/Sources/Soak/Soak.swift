import Foundation

struct Options {
    var minutes = 1.0

    /// The fault to plant, to check that the program detects it: `leak`, `stall` or `wrong`.
    var plant: String?

    static let usage = "usage: soak [--minutes NUMBER] [--plant leak|stall|wrong]"

    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (option, Double(value)) {
            case ("--minutes", let number?) where number > 0 && number.isFinite: minutes = number
            case ("--plant", _) where ["leak", "stall", "wrong"].contains(value): plant = value
            default: return nil
            }
        }
    }
}

/// Runs all activities at the same time: 200 short-lived threads post, add, cancel, dispatch and attach monitors, and
/// tasks drain, deliver and read sequences. A violation, a stall or growing memory ends the run with status 1.
@main struct Soak {
    /// The time without a step after which an activity counts as stalled. Waits on a busy machine are far shorter.
    static let patience: Duration = .seconds(120)

    static func main() {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(Options.usage)
            exit(2)
        }
        exit(Soak(options).run() ? 0 : 1)
    }

    private let options: Options
    private let referee = Referee()
    private let world: World
    private let exchange: Exchange
    private let bus: Dispatching
    private let crew: Crew
    private let waiting: WaitingCrew

    init(_ options: Options) {
        self.options = options
        world = World(referee)
        exchange = Exchange(world)
        bus = Dispatching(referee)
        crew = Crew([
            Posting(world: world), Churn(world: world), exchange, bus, Watching(world: world),
            Sampling(world: world, isPlanted: options.plant == "wrong"),
        ])
        var activities: [any WaitingActivity] = [
            Draining(world: world), Delivering(world), Reading(world: world),
        ]
        if options.plant == "leak" { activities.append(Leaking()) }
        if options.plant == "stall" { activities.append(Stalling()) }
        waiting = WaitingCrew(activities)
    }

    /// Runs the activities, and checks them from the main thread. No activity needs that thread, so even a stall of all
    /// tasks is detected.
    func run() -> Bool {
        let began = ContinuousClock.now
        var saidLast = began
        var memory = Memory()
        var watchdog = Watchdog(patience: options.plant == "stall" ? .seconds(5) : Soak.patience)
        let tasksOver = Counter()
        crew.start()
        Task { [waiting] in
            await waiting.run()
            tasksOver.add()
        }
        while ContinuousClock.now < began + .seconds(options.minutes * 60) {
            Thread.sleep(forTimeInterval: 0.25)
            memory.look()
            let stalled = watchdog.stalled(progress)
            if !stalled.isEmpty || Memory.resident > Memory.limit || referee.foulCount > 0 {
                // A stalled activity never ends, so the program doesn't wait for the activities.
                return judge(memory, stalled, began)
            }
            if saidLast + .seconds(30) < .now {
                saidLast = .now
                say(memory, began)
            }
        }
        crew.end()
        waiting.end()
        let deadline = ContinuousClock.now + Soak.patience
        while crew.isRunning || tasksOver.value == 0 || !bus.isEmpty {
            if deadline < .now { return judge(memory, ["the end"], began) }
            Thread.sleep(forTimeInterval: 0.01)
        }
        exchange.clear()
        world.judge()
        bus.judge()
        return judge(memory, [], began)
    }

    private var progress: [(name: String, steps: Int)] {
        zip(crew.activities, crew.steps).map { ($0.name, $1.value) }
            + zip(waiting.activities, waiting.steps).map { ($0.name, $1.value) }
            + [("letters read", bus.read), ("threads", crew.begun.value)]
    }

    private func say(_ memory: Memory, _ began: ContinuousClock.Instant) {
        let steps = progress.map { "\($0.name) \($0.steps)" }.joined(separator: ", ")
        print("\((.now - began).components.seconds) s, \(Int(memory.samples.last ?? 0)) MB: \(steps)")
        fflush(nil)
    }

    private func judge(_ memory: Memory, _ stalled: [String], _ began: ContinuousClock.Instant) -> Bool {
        say(memory, began)
        let (early, late, highest) = memory.course
        print(
            "resident memory: \(early.formatted()) MB early, \(late.formatted()) MB late, \(highest.formatted()) MB at most"
        )
        for violation in referee.violations { print("wrong: \(violation)") }
        for name in stalled { print("stalled: \(name)") }
        if !memory.isFlat { print("memory is not flat") }
        if highest > Memory.limit { print("more than \(Memory.limit) MB") }
        let isGood = referee.foulCount == 0 && stalled.isEmpty && memory.isFlat && highest <= Memory.limit
        print(isGood ? "nothing went wrong" : "something went wrong")
        fflush(nil)
        return isGood
    }
}

struct Watchdog {
    let patience: Duration
    private var last: [String: (steps: Int, time: ContinuousClock.Instant)] = [:]

    init(patience: Duration) { self.patience = patience }

    mutating func stalled(_ progress: [(name: String, steps: Int)]) -> [String] {
        let now = ContinuousClock.now
        return progress.filter { name, steps in
            let (lastSteps, time) = last[name] ?? (-1, now)
            if steps != lastSteps { last[name] = (steps, now) }
            return steps == lastSteps && now - time > patience
        }.map(\.name)
    }
}
