import Tidings

/// Observes for a view, while the view is on the screen.
///
/// SwiftUI's state keeps it for as long as the view has its identity, and hands it what each new value of the view says. Nothing
/// of SwiftUI is used here, so that it is tested on every system.
@MainActor
final class ViewObserver<N: NotificationContent> {
    /// What is observed; `nil` while the view is not on the screen.
    private var observation: Observed?

    /// The closure of the latest value of the view.
    private var action: @MainActor (N) -> Void = { _ in }

    private var revision = 0

    private struct Observed {
        let center: any TypedNotificationCenter
        let sender: SenderFilter<N.Sender>
        let token: NotificationToken
    }

    /// Takes over the closure of a new value of the view. That is all that happens while SwiftUI asks for a body.
    ///
    /// - Parameters:
    ///   - notifications: The notifications that the new value asks for.
    ///   - center: The center that it asks for.
    ///   - action: Its closure.
    /// - Returns: A number, which is another one when ``follow(_:in:)`` has to be called.
    func update(
        _ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter,
        perform action: @escaping @MainActor (N) -> Void
    ) -> Int {
        self.action = action
        if observation != nil, !isObserving(notifications, in: center) { revision += 1 }
        return revision
    }

    /// Begins to observe, as the view appears.
    func begin(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) {
        if isObserving(notifications, in: center) { return }
        end()
        let token = notifications.observe(center, self)
        observation = Observed(center: center, sender: notifications.filter, token: token)
    }

    /// Observes another sender, or in another center, if that is what the view now asks for. What waits from the former one is
    /// discarded.
    func follow(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) {
        if observation != nil { begin(notifications, in: center) }
    }

    /// Ends the observation, as the view disappears.
    func end() {
        observation?.token.cancel()
        observation = nil
    }

    /// Calls the closure of the latest value of the view.
    func receive(_ note: N) { action(note) }

    private func isObserving(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) -> Bool {
        guard let observation else { return false }
        return areSame(observation.center, center) && notifications.areLimited(as: observation.sender)
    }
}

/// Whether two values are one center: one object, or equal values.
///
/// Values that cannot be compared, as of a center that only forwards, count as one if they have one type: to observe anew at each
/// update of a view would discard what is on its way to it.
func areSame(_ center: any TypedNotificationCenter, _ other: any TypedNotificationCenter) -> Bool {
    guard type(of: center) == type(of: other) else { return false }
    if type(of: center) is AnyObject.Type { return center as AnyObject === other as AnyObject }
    guard let value = center as? any Equatable else { return true }
    return value.isEqual(to: other)
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
