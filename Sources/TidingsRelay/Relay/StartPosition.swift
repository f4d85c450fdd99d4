#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RelayRoute {
    /// The position at which a new consumer of a stream starts. An existing consumer continues where it was.
    @nonexhaustive
    public enum StartPosition: Hashable, Sendable {
        /// Starts with messages stored after its creation.
        case new
        /// Starts with the oldest message in the stream.
        case stored
        /// Starts with the latest message of each subject in the stream: the latest of each sender if notifications
        /// have senders. Then it continues with new messages.
        case latest
        /// Starts with the notification that has this number in the stream, or the next one.
        case sequence(UInt64)
        /// Starts with the first message that was stored at or after a time.
        case time(Date)
    }
}

extension RelayRoute.StartPosition {
    /// The start position as members of a consumer's configuration.
    var configuration: String {
        switch self {
        case .new: #""deliver_policy":"new""#
        case .stored: #""deliver_policy":"all""#
        case .latest: #""deliver_policy":"last_per_subject""#
        case .sequence(let number): #""deliver_policy":"by_start_sequence","opt_start_seq":\#(max(1, number))"#
        case .time(let date):
            #""deliver_policy":"by_start_time","opt_start_time":"#
                + JSONText.string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date))
        }
    }
}
