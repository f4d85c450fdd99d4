import Tidings
import TidingsOutbox

/// A letter to a customer. It is stored until the post office takes it.
struct LetterWritten: RemoteNotification, Hashable {
    static let wireName = "shop.letter"
    let number: Int
}

/// A parcel to a customer. It is stored until the post office takes it.
struct ParcelPacked: RemoteNotification, Hashable {
    static let wireName = "shop.parcel"
    let number: Int
}

/// An outbox with letters and parcels. A letter that the post office refuses becomes a dead letter at once. A refused
/// parcel is retried after an hour.
final class Letters: Sendable {
    let outbox: NotificationOutbox<InMemoryOutboxStore>
    let office = PostOffice()

    init() async throws {
        outbox = try await NotificationOutbox(InMemoryOutboxStore(), of: NativeNotificationCenter())
        outbox.addObserver(
            office, named: "letters", on: .actor, for: LetterWritten.self, from: .stored, retrying: RetryPolicy([])
        ) { office, _ in try office.take() }
        outbox.addObserver(
            office, named: "parcels", on: .actor, for: ParcelPacked.self, from: .stored,
            retrying: RetryPolicy([.seconds(3600)])
        ) { office, _ in try office.take() }
    }

    /// Posts letters and parcels.
    func write(_ count: Int) throws {
        for number in 0..<count {
            try outbox.post(LetterWritten(number: number))
            try outbox.post(ParcelPacked(number: number))
        }
    }
}

/// Takes letters and parcels, or refuses them while it is closed.
actor PostOffice {
    struct Closed: Error, CustomStringConvertible {
        let description = "the <b>post office</b> is closed"
    }

    private var isOpen = true

    func take() throws {
        if !isOpen { throw Closed() }
    }

    func set(isOpen: Bool) { self.isOpen = isOpen }
}
