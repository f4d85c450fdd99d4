import Foundation

#if canImport(AppleFoundationStub)
    import AppleFoundationStub
#endif

/// A typed notification that is being posted on Foundation's center, in the `userInfo` of the posted `Notification`.
class TypedPost {
    static let key = "tidings.typed-notification"

    /// Each post copies this `userInfo`, so that the hash of the key isn't computed again.
    nonisolated(unsafe) private static let template: [AnyHashable: Any] = [key: ()]  // it never changes

    // Atomic, because an untyped observer may pass the notification to other threads.
    private let registrations: Atomic<Int>

    /// The center of the post. An untyped observer may pass the `Notification` on to another center.
    final let center: ObjectIdentifier
    final let calls = Atomic<Int>(0)
    final let visited: ObjectIdentifier?
    final let place: SourcePlace
    final let traits: NotificationTraits

    fileprivate init(
        on center: NotificationCenter, _ traits: NotificationTraits, from place: SourcePlace, visited: ObjectIdentifier?
    ) {
        registrations = Atomic(NameForwarder.Member.count)
        self.center = ObjectIdentifier(center)
        self.traits = traits
        self.place = place
        self.visited = visited
    }

    final var horizon: Int { registrations.load(ordering: .relaxed) }

    var sender: Any? { preconditionFailure("a subclass has to override this property") }

    final func make(on center: NotificationCenter, in carrier: Notification) -> Int {
        var carrier = carrier
        #if os(macOS) || canImport(AppleFoundationStub)
            // The static type of the center may hide that it is the distributed center. A post that leaves the program
            // is a property list, so it can't contain an object of this program.
            if center is DistributedNotificationCenter {
                center.post(carrier)
                return 0
            }
        #endif
        carry(in: &carrier)
        center.post(carrier)
        end()
        return calls.load(ordering: .relaxed)
    }

    /// Ends the post. If an observer posts the same `Notification` again later, observers that were registered in the
    /// meantime receive it, too.
    final func end() { registrations.store(.max, ordering: .relaxed) }

    final func carry(in carrier: inout Notification) {
        if carrier.userInfo == nil {
            var userInfo = unsafe TypedPost.template
            userInfo.values[userInfo.startIndex] = self
            carrier.userInfo = userInfo
        } else {
            carrier.userInfo?[TypedPost.key] = self
        }
    }
}

final class TypedPostOf<N: TypedNotification>: TypedPost {
    let value: N

    init(
        _ value: N, on center: NotificationCenter, _ traits: NotificationTraits, from place: SourcePlace,
        visited: ObjectIdentifier?
    ) {
        self.value = value
        super.init(on: center, traits, from: place, visited: visited)
    }

    override var sender: Any? { value.sender }

    func carrier(reportingTo center: NotificationCenter) -> Notification {
        let name = traits.name(of: value)
        do {
            if traits.isBridged, let bridged = value as? any BridgedNotification {
                var carrier = try bridged.bridged()
                if traits.isFamily { carrier.name = name }
                return carrier
            }
        } catch {
            NotificationReport(.unencodable, of: error.notification, nil, error)
                .send(to: CenterRegistry.find(center)?.monitoring)
        }
        return Notification(name: name, object: foundationObject(of: value.sender))
    }
}
