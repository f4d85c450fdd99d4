import Tidings

extension ConformanceCheck {
    /// Main-actor notifications reach their observers on the main actor, in the post, in order.
    public static let mainActorNotificationsArriveInThePost = ConformanceCheck(
        .isolation, "a main-actor notification, `Sendable` or not, reaches main-actor observers in the post, in order"
    ) { trial in await onMainActor(trial) }

    @MainActor private static func onMainActor(_ trial: Trial) {
        let center = trial.center
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
        trial.expect(view.isShown, "the payload was not handed on as it is")
        trial.expect(center.post(DidTap(sender: subject, view: view)), is: 1, "observers of a sender called")
        trial.expect(center.post(DidTap(sender: Subject(), view: view)), is: 0, "observers of another sender called")
        token.cancel()
        owner = nil
        center.post(WillShow(view: view))
        trial.expect(journal.entries, is: [1, 2, 3, 4, 3], "calls")
    }

    static let isolationChecks = [mainActorNotificationsArriveInThePost]
}
