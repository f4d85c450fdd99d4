import Tidings

/// An observation with a recorder: that of the center behind it, and what is held at the gate for its observer.
final class RecordedObservation: ObserverHandle {
    let receiver: Receiver
    let number: Int
    private let base: any ObserverHandle
    private let deliveries: Deliveries
    private weak let recorder: RecordingNotificationCenter?

    init(_ base: any ObserverHandle, receiver: Receiver, number: Int, of recorder: RecordingNotificationCenter) {
        self.base = base
        self.receiver = receiver
        self.number = number
        self.recorder = recorder
        deliveries = recorder.deliveries
    }

    var center: ObjectIdentifier? { base.center == nil ? nil : recorder.map { ObjectIdentifier($0) } }

    var isActive: Bool { base.isActive && receiver.registration.owner?.isAlive != false }

    func cancel() {
        base.cancel()
        deliveries.discard(for: receiver)
        recorder?.observerList.remove(self)
    }

    func drain() async { await base.drain() }
}
