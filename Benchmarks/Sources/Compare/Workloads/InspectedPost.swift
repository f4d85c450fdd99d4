import Tidings
import TidingsInspector

extension Workload {
    /// Each sample is so long that it includes the work that an inspector does a few times per second.
    static let inspectedPost = Workload(
        name: "post beside an inspector", parameterName: "observers", unit: .nanoseconds(per: "post"), count: 10_000_000
    ) {
        [1, 10].flatMap { observers in Inspection.allCases.map { $0.contender(observers: observers) } }
    }

    static let followedPost = Workload(
        name: "post that is followed", parameterName: "observers", unit: .nanoseconds(per: "post"), statistic: .least
    ) {
        [1, 10, 100].flatMap { observers -> [Contender] in
            let monitored = Watch.everything.signal(observers: observers)
            return [
                .poster(Watch.everything.subject, parameter: observers, monitored, observers: observers),
                Inspection.followed(observers: observers),
            ]
        }
    }
}

enum Inspection: CaseIterable {
    /// The cases are, in this order: no inspector, an inspector without a viewer, an inspector that takes snapshots
    /// twice a second, and an inspector that also counts events.
    case none, made, look, count

    var subject: Subject {
        switch self {
        case .none: .tidings
        case .made: .tidings.with("inspector, nobody looks")
        case .look: .tidings.with("inspector, looks")
        case .count: .tidings.with("inspector, counts")
        }
    }

    static let followedSubject = Subject.tidings.with("inspector, follows")

    @MainActor
    func contender(observers: Int) -> Contender {
        let signal = Watch.nothing.signal(observers: observers)
        let inspector = self == .none ? nil : Inspector(of: signal.center)
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: observers) { count in
            // The viewer only runs during the sample, so that samples of other contenders don't include its work.
            let viewer = self == .look || self == .count ? inspector.map(Self.view) : nil
            defer {
                viewer?.cancel()
                inspector?.measure(.look)
            }
            if self == .count {
                inspector?.measure(.count)
                // These posts come before the sample, because the inspector first determines the rate of events. It
                // then decides what fraction of them to measure.
                let end = ContinuousClock.now + .milliseconds(600)
                let sink = Sink()
                while ContinuousClock.now < end { signal.post(10_000, to: sink) }
                _ = sink.take()
            }
            let sink = Sink()
            let sample = Sample.onThread { signal.post(count, to: sink) }
            try Miscount.check(subject, sink.take(), count * total)
            return sample
        }
    }

    @MainActor
    static func followed(observers: Int) -> Contender {
        let signal = Watch.nothing.signal(observers: observers)
        let inspector = Inspector(of: signal.center)
        let total = Handler.total(observers)
        return Contender(subject: followedSubject, parameter: observers) { count in
            inspector.measure(.follow)
            let viewer = view(inspector)
            defer {
                viewer.cancel()
                inspector.measure(.look)
            }
            let sink = Sink()
            let sample = Sample.onThread { signal.post(count, to: sink) }
            try Miscount.check(followedSubject, sink.take(), count * total)
            return sample
        }
    }

    static func view(_ inspector: Inspector) -> Task<Void, Never> {
        Task.detached { for await _ in inspector.snapshots(every: .milliseconds(500)) {} }
    }
}

extension Bar {
    static let inspectors: [Bar] =
        [
            (Inspection.made, 1, 1), (.made, 10, 1), (.look, 1, 1 / 0.98), (.look, 10, 1 / 0.98), (.count, 10, 2),
        ].map { inspection, observers, limit in
            Bar("post beside an inspector", observers, inspection.subject, .atMost(limit), .tidings)
        }
        + [1, 10, 100].map {
            Bar(
                "post that is followed", $0, Inspection.followedSubject, .atMost(1.5), Watch.everything.subject)
        }
}
