import Tidings
import TidingsConformance

/// Asynchronous observers of every kind, which are registered before a race begins and cancelled after it has ended.
/// Every post has to reach each of them.
final class SteadyObservers: Sendable {
    private let racers: [Racer]
    private let tokens: [NotificationToken]
    private let reading: Task<Void, Never>
    private let referee: Referee

    init(in race: AsynchronousRace) {
        referee = race.referee
        let racers = (0..<4).map { [referee] _ in Racer(referee) }
        self.racers = racers
        let observing = race.asynchronously
        tokens = [
            observing.observe(
                on: race.actors[0], Shot<Tag0>.self, sender: nil, buffering: .unbounded, in: race.center
            ) { _, shot in
                racers[0].begin(shot)
                racers[0].finish()
            },
            observing.observeOnMainActor(Shot<Tag0>.self, in: race.center) { shot in
                racers[1].begin(shot)
                racers[1].finish()
            },
            observing.observeInTask(Shot<Tag0>.self, in: race.center) { shot in
                racers[2].begin(shot)
                racers[2].finish()
            },
        ]
        let notes = race.center.notifications(of: Shot<Tag0>.self)
        reading = Task {
            for await shot in notes {
                racers[3].begin(shot)
                racers[3].finish()
            }
        }
    }

    func isComplete(_ posts: Int) -> Bool { racers.allSatisfy { $0.calls >= posts } }

    /// Checks that each observer has received all posts, and ends the observers.
    func check(_ posts: Int) {
        for racer in racers { referee.expect(racer.calls == posts, "\(posts) posts made \(racer.calls) calls") }
        for token in tokens { token.cancel() }
        reading.cancel()
    }
}
