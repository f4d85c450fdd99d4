#if canImport(SwiftUI)
    public import SwiftUI
    public import Tidings

    extension View {
        /// Calls a closure on the main actor with each notification of a type, while this view is on the screen.
        ///
        /// The center is `typedNotificationCenter` of the environment. The closure runs after the post, even if the
        /// post is made on the main actor. It receives one notification at a time, in the order posted. When SwiftUI
        /// updates the view, the new closure replaces the old one.
        ///
        /// ```swift
        /// Text("\(count)").onNotification(of: CacheCleared.self) { _ in count = 0 }
        /// ```
        ///
        /// - Parameters:
        ///   - type: The notification type.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - action: The closure.
        /// - Returns: A view that observes.
        public func onNotification<N: TypedNotification & Sendable>(
            of type: N.Type, fileID: StaticString = #fileID, line: UInt = #line,
            perform action: @escaping @MainActor (N) -> Void
        ) -> some View {
            let place = SourcePlace(fileID: fileID, line: line)
            return modifier(NotificationModifier(ViewNotifications(of: type, at: place), perform: action))
        }

        /// Calls a closure on the main actor with each notification of a type from one sender, while this view is on
        /// the screen. If the view's sender changes, pending notifications of the previous sender are discarded.
        ///
        /// ```swift
        /// Text(account.name).onNotification(of: SubscriptionsChanged.self, sender: account) { note in
        ///     subscribed = note.subscribed
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - type: The notification type.
        ///   - sender: The sender; `nil` for no limit. The view keeps the sender alive. The observation doesn't.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - action: The closure.
        /// - Returns: A view that observes.
        public func onNotification<N: TypedNotification & Sendable>(
            of type: N.Type, sender: N.Sender?, fileID: StaticString = #fileID, line: UInt = #line,
            perform action: @escaping @MainActor (N) -> Void
        ) -> some View where N.Sender: Sendable {
            let place = SourcePlace(fileID: fileID, line: line)
            return modifier(
                NotificationModifier(ViewNotifications(of: type, sender: sender, at: place), perform: action))
        }

        /// Calls a closure during every post of a main-actor notification, as long as this view is on the screen.
        ///
        /// - Parameters:
        ///   - type: The notification type.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - action: The closure.
        /// - Returns: A view that observes.
        public func onNotification<N: MainActorNotification>(
            of type: N.Type, fileID: StaticString = #fileID, line: UInt = #line,
            perform action: @escaping @MainActor (N) -> Void
        ) -> some View {
            let place = SourcePlace(fileID: fileID, line: line)
            return modifier(NotificationModifier(ViewNotifications(of: type, at: place), perform: action))
        }

        /// Calls a closure during every post of a main-actor notification from one sender, as long as this view is on
        /// the screen.
        ///
        /// - Parameters:
        ///   - type: The notification type.
        ///   - sender: The sender, which doesn't have to be `Sendable`; `nil` for no limit.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        ///   - action: The closure.
        /// - Returns: A view that observes.
        public func onNotification<N: MainActorNotification>(
            of type: N.Type, sender: N.Sender?, fileID: StaticString = #fileID, line: UInt = #line,
            perform action: @escaping @MainActor (N) -> Void
        ) -> some View {
            let place = SourcePlace(fileID: fileID, line: line)
            return modifier(
                NotificationModifier(ViewNotifications(of: type, sender: sender, at: place), perform: action))
        }
    }

    private struct NotificationModifier<N: NotificationContent>: ViewModifier {
        @Environment(\.typedNotificationCenter) private var center
        @State private var observer = ViewObserver<N>()
        private let notifications: ViewNotifications<N>
        private let action: @MainActor (N) -> Void

        init(_ notifications: ViewNotifications<N>, perform action: @escaping @MainActor (N) -> Void) {
            self.notifications = notifications
            self.action = action
        }

        func body(content: Content) -> some View {
            let revision = observer.update(notifications, in: center, perform: action)
            return
                content
                .onAppear { observer.begin(notifications, in: center) }
                .onChange(of: revision) { observer.follow(notifications, in: center) }
                .onDisappear { observer.end() }
        }
    }
#endif
