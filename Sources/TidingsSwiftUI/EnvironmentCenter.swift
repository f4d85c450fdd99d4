#if canImport(SwiftUI)
    public import SwiftUI
    public import Tidings

    extension EnvironmentValues {
        /// The center on which views post and observe.
        ///
        /// It is `NativeNotificationCenter.default` unless you set another one, for a view and what it contains or for a scene:
        ///
        /// ```swift
        /// ContentView().environment(\.typedNotificationCenter, center)
        /// ```
        ///
        /// A view that posts reads it:
        ///
        /// ```swift
        /// @Environment(\.typedNotificationCenter) private var center
        /// ```
        ///
        /// When another object takes its place, views that observe go over to that one. Of two values of one type, such as
        /// centers that only forward, a view notices the difference if they are `Equatable`.
        public var typedNotificationCenter: any TypedNotificationCenter {
            get { self[CenterKey.self] }
            set { self[CenterKey.self] = newValue }
        }
    }

    private struct CenterKey: EnvironmentKey {
        static let defaultValue: any TypedNotificationCenter = NativeNotificationCenter.default
    }
#endif
