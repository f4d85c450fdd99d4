// A center of your own, and the suite that checks it against the promises.
import Tidings
import TidingsConformance

// snippet.center
/// Stands in front of another center.
final class FrontCenter: TypedNotificationCenter {
    private let base = NativeNotificationCenter()

    var underlyingCenter: (any TypedNotificationCenter)? { base }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
// snippet.end

// snippet.check
try await CenterConformance { FrontCenter() }.check()
// snippet.end
print("every promise is kept")
// → every promise is kept
