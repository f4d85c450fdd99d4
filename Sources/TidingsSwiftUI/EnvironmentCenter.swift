#if canImport(SwiftUI)
    public import SwiftUI
    public import Tidings

    extension EnvironmentValues {
        /// The center on which views post and observe. The default is `NativeNotificationCenter.default`. You can set
        /// another one for a view and its content, or for a scene:
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
        /// If the center is replaced, observing views switch to the new one. Values of the same type, such as centers
        /// that only forward, are distinguished only if they are `Equatable`.
        public var typedNotificationCenter: any TypedNotificationCenter {
            get { self[CenterKey.self] }
            set { self[CenterKey.self] = newValue }
        }
    }

    private struct CenterKey: EnvironmentKey {
        static let defaultValue: any TypedNotificationCenter = NativeNotificationCenter.default
    }
#endif
