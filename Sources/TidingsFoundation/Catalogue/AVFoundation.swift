#if canImport(AVFoundation) && !os(macOS)
    public import AVFoundation

    // What AVFoundation posts about the app's audio session.

    extension AVAudioSession {
        /// Other audio interrupts this app's, or no longer does: `AVAudioSession.interruptionNotification`.
        /// Posted on the main thread.
        public struct Interrupted: MainActorBridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { "AVAudioSessionInterruptionNotification" }

            /// As the framework writes its enums: by their raw values.
            public static var userInfoForm: UserInfoForm { .objects }

            /// The audio session.
            @NotificationSender public var sender: AVAudioSession

            /// Whether the interruption begins or ends.
            @UserInfoValue public var type: AVAudioSession.InterruptionType

            /// At the end, whether playing should go on.
            @UserInfoValue public var options: AVAudioSession.InterruptionOptions?

            /// At the beginning, the raw value of the `AVAudioSession.InterruptionReason`.
            public var reason: UInt?

            private enum CodingKeys: String, CodingKey {
                case sender
                case type = "AVAudioSessionInterruptionTypeKey"
                case options = "AVAudioSessionInterruptionOptionKey"
                case reason = "AVAudioSessionInterruptionReasonKey"
            }

            /// Makes the notification.
            ///
            /// - Parameters:
            ///   - sender: The audio session.
            ///   - type: Whether the interruption begins or ends.
            ///   - options: At the end, whether playing should go on.
            ///   - reason: At the beginning, the raw value of the `AVAudioSession.InterruptionReason`.
            public init(
                sender: AVAudioSession, type: AVAudioSession.InterruptionType,
                options: AVAudioSession.InterruptionOptions? = nil, reason: UInt? = nil
            ) {
                self.sender = sender
                self.type = type
                self.options = options
                self.reason = reason
            }
        }

        /// Audio comes from, or goes to, another device: `AVAudioSession.routeChangeNotification`. Posted on
        /// a thread of its own.
        public struct RouteChanged: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { "AVAudioSessionRouteChangeNotification" }

            /// As the framework writes its enums: by their raw values.
            public static var userInfoForm: UserInfoForm { .objects }

            /// The audio session, which has the new route.
            @NotificationSender public var sender: AVAudioSession

            /// Why the route has changed.
            @UserInfoValue public var reason: AVAudioSession.RouteChangeReason

            /// The route before.
            @UserInfoValue public var previousRoute: AVAudioSessionRouteDescription?

            private enum CodingKeys: String, CodingKey {
                case sender
                case reason = "AVAudioSessionRouteChangeReasonKey"
                case previousRoute = "AVAudioSessionRouteChangePreviousRouteKey"
            }

            /// Makes the notification.
            ///
            /// - Parameters:
            ///   - sender: The audio session, which has the new route.
            ///   - reason: Why the route has changed.
            ///   - previousRoute: The route before.
            public init(
                sender: AVAudioSession, reason: AVAudioSession.RouteChangeReason,
                previousRoute: AVAudioSessionRouteDescription? = nil
            ) {
                self.sender = sender
                self.reason = reason
                self.previousRoute = previousRoute
            }
        }
    }
#endif
