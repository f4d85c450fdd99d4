#if os(macOS) || canImport(AppleFoundationStub)
    #if canImport(AppleFoundationStub)
        public import AppleFoundationStub
        import Foundation
    #else
        public import Foundation
    #endif

    // A post on the distributed center goes to other programs, as a property list. A typed notification is an object of
    // this program, so it can't be posted on that center. A `BridgedNotification` can be observed on it. The compiler
    // never prefers an unavailable overload, so these methods are deprecated and throw: a call without `try` doesn't
    // compile, and the warning of any call explains what to do.
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
