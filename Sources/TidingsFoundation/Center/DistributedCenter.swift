#if os(macOS) || canImport(AppleFoundationStub)
    #if canImport(AppleFoundationStub)
        public import AppleFoundationStub
        import Foundation
    #else
        public import Foundation
    #endif

    // What is posted on the distributed center goes to other programs, as a property list. A typed notification is an object of this
    // program, so nothing typed is posted there; it can be observed there, as a `BridgedNotification`.
    //
    // These methods take the place of those that every center has. The compiler never chooses an unavailable one over those, so they
    // throw: a call without `try` does not compile, and the compiler says beside it what to do.
    extension DistributedNotificationCenter {
        /// Throws: what leaves the program is posted as ``BridgedNotification/bridged()`` makes it.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An error that says so, in any case.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        public func post<N: TypedNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }

        /// Throws: what leaves the program is posted as ``BridgedNotification/bridged()`` makes it.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An error that says so, in any case.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        public func deliver<N: TypedNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) async throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }

        /// Throws: what leaves the program is posted as ``BridgedNotification/bridged()`` makes it.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An error that says so, in any case.
        @available(*, deprecated, message: "post the name and the userInfo of bridged(), in the form .propertyList")
        @MainActor
        public func post<N: MainActorNotification>(
            _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
        ) throws(NotificationEncodingError) { throw .leavesTheProgram(N.self) }

        /// Throws: what leaves the program is posted as ``BridgedNotification/bridged()`` makes it.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Throws: An error that says so, in any case.
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
