#if os(macOS) || canImport(AppleFoundationStub)
    #if canImport(AppleFoundationStub)
        public import AppleFoundationStub
        import Foundation
    #else
        public import Foundation
    #endif

    // The distributed center posts to other programs, as property lists. So a typed notification can't be posted there,
    // but a `BridgedNotification` can be observed. The methods below hide those of `TypedNotificationCenter`. If they
    // were unavailable, the compiler would choose the methods of `TypedNotificationCenter`. So they throw and are
    // deprecated: a call without `try` doesn't compile, and one with `try` causes a warning that shows the replacement.
    extension DistributedNotificationCenter {
        /// Always throws. To post to other programs, use the result of ``BridgedNotification/bridged()``.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        public func post<N: TypedNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }

        /// Always throws. To post to other programs, use the result of ``BridgedNotification/bridged()``.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        public func deliver<N: TypedNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) async throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }

        /// Always throws. To post to other programs, use the result of ``BridgedNotification/bridged()``.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        @MainActor
        public func post<N: MainActorNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }

        /// Always throws. To post to other programs, use the result of ``BridgedNotification/bridged()``.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        @MainActor
        public func deliver<N: MainActorNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) async throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }
    }

    extension NotificationEncodingError {
        fileprivate static func leavesTheProgram(_ type: (some NotificationContent).Type) -> Self {
            NotificationEncodingError(
                notification: Notification.Name(type.name),
                reason: "it leaves the program: post the name and the userInfo of bridged(), in the form .propertyList")
        }
    }
#endif
