import CMachine
import Tidings
import TidingsInspector

/// Measures bursts of so few posts that the inspector follows each of them, which means that it records all their
/// events.
extension Workload {
    static let inspectedBursts = Workload(
        name: "bursts beside an inspector", parameterName: "observers", unit: .nanoseconds(per: "post"),
        count: InspectedBursts.posts
    ) {
        [1, 10].flatMap { observers in InspectedBursts.allCases.map { $0.contender(observers: observers) } }
    }
}

enum InspectedBursts: CaseIterable {
    /// The cases are, in this order: no inspector, an inspector without a viewer, inspectors with a viewer at the tiers
    /// (levels of detail) `look`, `count` and `follow`, and a monitor that does nothing.
    case none, made, look, count, follow, monitor

    /// A burst has 20 posts, and begins every 20 milliseconds. The inspector can follow up to 20,000 posts and calls
    /// per second.
    private static let size = 20
    private static let bursts = 12
    private static let interval: Int64 = 20_000_000
    static let posts = size * bursts

    var subject: Subject {
        switch self {
        case .none, .made, .look, .count: inspection.subject
        case .follow: Inspection.followedSubject
        case .monitor: Watch.everything.subject
        }
    }

    private var inspection: Inspection {
        switch self {
        case .made: .made
        case .look: .look
        case .count: .count
        default: .none
        }
    }

    private var tier: InspectorSnapshot.Tier {
        switch self {
        case .count: .count
        case .follow: .follow
        default: .look
        }
    }

    @MainActor
    func contender(observers: Int) -> Contender {
        let signal = (self == .monitor ? Watch.everything : .nothing).signal(observers: observers)
        let inspector = self == .none || self == .monitor ? nil : Inspector(of: signal.center)
        let total = Handler.total(observers)
        return Contender(subject: subject, parameter: observers) { count in
            let viewer = self == .made ? nil : inspector.map(Inspection.view)
            inspector?.measure(tier)
            defer {
                viewer?.cancel()
                inspector?.measure(.look)
            }
            let sink = Sink()
            var sample = Sample(value: 0)
            var next = machine_now_nanoseconds()
            for _ in 0..<Self.bursts {
                next += Self.interval
                // The loop spins, so that the processor doesn't become idle between bursts.
                while machine_now_nanoseconds() < next { machine_pause() }
                let burst = Sample.onThread { signal.post(Self.size, to: sink) }
                sample.value += burst.value
                sample.wasDisturbed = sample.wasDisturbed || burst.wasDisturbed
            }
            // The runner divides the value by `count`, so the value is scaled to that number of posts.
            sample.value *= Double(count) / Double(Self.posts)
            try Miscount.check(subject, sink.take(), Self.posts * total)
            return sample
        }
    }
}

extension Bar {
    static let inspectedBursts: [Bar] = [1, 10].map {
        Bar(
            "bursts beside an inspector", $0, Inspection.followedSubject, .atMost(3), Watch.everything.subject,
            towards: .atMost(2))
    }
}
