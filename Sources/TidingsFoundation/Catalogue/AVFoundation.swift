#if canImport(AVFoundation) && !os(macOS)
    public import AVFoundation

    extension AVAudioSession {
        /// The system interrupts this app's audio, for example for a call, or the interruption ends:
        /// `AVAudioSession.interruptionNotification`. Posted on the main thread.
        public struct Interrupted: MainActorBridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { "AVAudioSessionInterruptionNotification" }

            /// The framework writes its enums as their raw values.
            public static var userInfoForm: UserInfoForm { .objects }

            /// The audio session.
            @NotificationSender public var sender: AVAudioSession

            /// Whether the interruption begins or ends.
            @UserInfoValue public var type: AVAudioSession.InterruptionType

            /// Whether playback should resume. Only set when the interruption ends.
            @UserInfoValue public var options: AVAudioSession.InterruptionOptions?

            /// The raw value of the `AVAudioSession.InterruptionReason`. Only set when the interruption begins.
            public var reason: UInt?

            private enum CodingKeys: String, CodingKey {
                case sender
                case type = "AVAudioSessionInterruptionTypeKey"
                case options = "AVAudioSessionInterruptionOptionKey"
                case reason = "AVAudioSessionInterruptionReasonKey"
            }

            /// Creates the notification from its properties.
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

        /// The input or output device has changed: `AVAudioSession.routeChangeNotification`. Posted off the main
        /// thread.
        public struct RouteChanged: BridgedNotification, Codable {
            /// The name of the notification.
            public static var name: String { "AVAudioSessionRouteChangeNotification" }

            /// The framework writes its enums as their raw values.
            public static var userInfoForm: UserInfoForm { .objects }

            /// The audio session, which has the new route.
            @NotificationSender public var sender: AVAudioSession

            /// The reason for the change.
            @UserInfoValue public var reason: AVAudioSession.RouteChangeReason

            /// The previous route.
            @UserInfoValue public var previousRoute: AVAudioSessionRouteDescription?

            private enum CodingKeys: String, CodingKey {
                case sender
                case reason = "AVAudioSessionRouteChangeReasonKey"
                case previousRoute = "AVAudioSessionRouteChangePreviousRouteKey"
            }

            /// Creates the notification from its properties.
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
