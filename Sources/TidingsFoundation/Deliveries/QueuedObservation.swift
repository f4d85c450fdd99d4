/// An observation whose calls wait in a queue: cancelling it discards them too.
struct QueuedObservation<Element: Sendable>: Observation {
    let observation: any Observation
    let delivery: QueueDelivery<Element>

    var center: ObjectIdentifier? { observation.center }
    var isActive: Bool { observation.isActive }

    func cancel() {
        observation.cancel()
        delivery.cancel()
    }

    func drain() async {
        await observation.drain()
        await delivery.drain()
    }
}
