#if canImport(SwiftUI)
    public import SwiftUI
    public import Tidings

    extension EnvironmentValues {
        /// The center on which views post and observe. The default is `NativeNotificationCenter.default`. You can set
        /// another center for a view and its content, or for a scene:
        ///
        /// ```swift
        /// ContentView().environment(\.typedNotificationCenter, center)
        /// ```
        ///
        /// A view that posts reads the center:
        ///
        /// ```swift
        /// @Environment(\.typedNotificationCenter) private var center
        /// ```
        ///
        /// If the center is replaced, views that observe switch to the new center. Two centers of the same value
        /// type, such as structs that forward to a center, are distinguished only if the type is `Equatable`.
        public var typedNotificationCenter: any TypedNotificationCenter {
            get { self[CenterKey.self] }
            set { self[CenterKey.self] = newValue }
        }
    }

    private struct CenterKey: EnvironmentKey {
        static let defaultValue: any TypedNotificationCenter = NativeNotificationCenter.default
    }
#endif
