import Dispatch
import Tidings

extension ConformanceCheck {
    package static let mainActorNotificationsArriveInThePost = ConformanceCheck(
        .isolation, "a main-actor notification, `Sendable` or not, reaches its observers during the post, in order"
    ) { @MainActor trial, center in
        let journal = Journal<Int>()
        let (view, subject) = (View(), Subject())
        var owner: Subject? = Subject()
        func show(_ number: Int, _ note: WillShow) {
            note.view.isShown.toggle()
            journal.note(number)
        }
        let token = center.addObserver(for: WillShow.self) { show(1, $0) }
        if let owner { center.addObserver(owner, for: WillShow.self) { _, note in show(2, note) } }
        trial.keep(center.addObserver(for: WillShow.self) { show(3, $0) })
        trial.keep(center.addObserver(for: DidTap.self, sender: subject) { _ in journal.note(4) })
        trial.expect(center.post(WillShow(view: view)), is: 3, "observers called")
        trial.expect(view.isShown, "the observers did not receive the posted payload")
        trial.expect(center.post(DidTap(sender: subject, view: view)), is: 1, "observers of a sender called")
        trial.expect(center.post(DidTap(sender: Subject(), view: view)), is: 0, "observers of another sender called")
        token.cancel()
        owner = nil
        center.post(WillShow(view: view))
        trial.expect(journal.entries, is: [1, 2, 3, 4, 3], "calls")
    }

    package static let mainActorSendersAreLookedAtThere = ConformanceCheck(
        .isolation,
        "only the main actor uses a main-actor notification's sender, even if other threads add or cancel observers"
    ) { @MainActor trial, center in
        let (uses, tokens, laps) = (Uses(), TokenBox(), Laps())
        async let others: Void = onThread {
            laps.run {
                let unlimited = [
                    center.addObserver(for: WindowMoved.self) { _ in },
                    center.addObserver(for: PlaceChanged.self) { _ in },
                ]
                for token in tokens.takeAll() where token.isActive { token.cancel() }
                for token in unlimited { token.cancel() }
            }
        }
        for round in 0..<500 {
            let isMeeting = round.isMultiple(of: 10)
            var windows = (0..<4).map { _ in Window(uses) }
            for (row, window) in windows.enumerated() {
                tokens.put(center.addObserver(for: WindowMoved.self, sender: window) { _ in })
                tokens.put(center.addObserver(for: PlaceChanged.self, sender: Place(row: row, uses: uses)) { _ in })
            }
            if isMeeting { await laps.wait(trial) }
            center.post(WindowMoved(sender: windows[0]))
            center.post(PlaceChanged(sender: Place(row: 0, uses: uses)))
            trial.forget()
            windows = []
            if isMeeting { await laps.wait(trial) }
        }
        laps.end()
        await others
        trial.expect(uses.elsewhere, is: 0, "uses of a main-actor notification's sender off the main actor")
    }
}

private final class Uses: Sendable {
    private let count = Atomic(0)

    var elsewhere: Int { count.load(ordering: .relaxed) }

    func note() { if !isOnMainActor() { count.wrappingAdd(1, ordering: .relaxed) } }
}

/// Runs a closure repeatedly on one thread. `wait` requests more repetitions than it waits for, so that the thread
/// continues to run the closure in parallel with the caller.
private final class Laps: Sendable {
    private static let atATime = 200

    private let done = Atomic(0)
    private let asked = Atomic(Laps.atATime)
    private let more = DispatchSemaphore(value: 0)

    func run(_ lap: () -> Void) {
        while true {
            let asked = asked.load(ordering: .relaxed)
            if asked == .max { return }
            if done.load(ordering: .relaxed) < asked {
                lap()
                done.wrappingAdd(1, ordering: .relaxed)
            } else {
                more.wait()
            }
        }
    }

    func wait(_ trial: Trial) async {
        let enough = done.load(ordering: .relaxed) + 2
        ask(for: enough + Laps.atATime)
        await trial.eventually("another thread could add and cancel observers") {
            done.load(ordering: .relaxed) >= enough
        }
    }

    func end() { ask(for: .max) }

    private func ask(for count: Int) {
        asked.store(count, ordering: .relaxed)
        more.signal()
    }
}

/// A sender that should only be used on the main actor.
private final class Window: Sendable {
    private let uses: Uses
    init(_ uses: Uses) { self.uses = uses }
    deinit { uses.note() }
}
private struct WindowMoved: MainActorNotification { let sender: Window }

private struct Place: Hashable {
    let row: Int
    let uses: Uses

    static func == (lhs: Place, rhs: Place) -> Bool {
        lhs.uses.note()
        return lhs.row == rhs.row
    }
    func hash(into hasher: inout Hasher) {
        uses.note()
        hasher.combine(row)
    }
}
private struct PlaceChanged: MainActorNotification { let sender: Place }
