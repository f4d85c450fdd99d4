import Tidings

/// The observer of a view. The view keeps it as SwiftUI state. The class doesn't import SwiftUI, so it can be tested on
/// every system.
@MainActor
final class ViewObserver<N: NotificationContent> {
    /// `nil` while the view isn't on the screen.
    private var observation: Observed?

    private var action: @MainActor (N) -> Void = { _ in }
    private var revision = 0

    private struct Observed {
        let center: any TypedNotificationCenter
        let sender: SenderFilter<N.Sender>
        let token: NotificationToken
    }

    /// Stores the closure, and returns a number that changes when ``follow(_:in:)`` has to be called. Starts no
    /// observation, because SwiftUI calls this method while it evaluates a body.
    func update(
        _ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter,
        perform action: @escaping @MainActor (N) -> Void
    ) -> Int {
        self.action = action
        if observation != nil, !isObserving(notifications, in: center) { revision += 1 }
        return revision
    }

    func begin(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) {
        if isObserving(notifications, in: center) { return }
        end()
        let token = notifications.observe(center, self)
        observation = Observed(center: center, sender: notifications.filter, token: token)
    }

    /// Starts a new observation, and discards pending notifications, if the view is on the screen and its sender or
    /// center has changed.
    func follow(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) {
        if observation != nil { begin(notifications, in: center) }
    }

    func end() {
        observation?.token.cancel()
        observation = nil
    }

    func receive(_ note: N) { action(note) }

    private func isObserving(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) -> Bool {
        guard let observation else { return false }
        return areSame(observation.center, center) && notifications.areLimited(as: observation.sender)
    }
}

/// Whether two centers are the same. Values of one type that can't be compared, such as structs that forward to a
/// center, count as the same. If they counted as different, each update of a view would start a new observation, and
/// discard pending notifications.
func areSame(_ center: any TypedNotificationCenter, _ other: any TypedNotificationCenter) -> Bool {
    guard type(of: center) == type(of: other) else { return false }
    if type(of: center) is AnyObject.Type { return center as AnyObject === other as AnyObject }
    guard let value = center as? any Equatable else { return true }
    return value.isEqual(to: other)
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
