#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RelayRoute {
    /// The position at which a new consumer of a stream starts. An existing consumer continues at its own position.
    @nonexhaustive
    public enum StartPosition: Hashable, Sendable {
        /// The consumer starts with messages that are stored after its creation.
        case new
        /// The consumer starts with the oldest message in the stream.
        case stored
        /// The consumer starts with the latest message of each subject, and thus of each sender. New messages follow.
        case latest
        /// The consumer starts with the message with this number in the stream or, if it is gone, with the next one.
        case sequence(UInt64)
        /// The consumer starts with the first message that was stored at or after a time.
        case time(Date)
    }
}

extension RelayRoute.StartPosition {
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
