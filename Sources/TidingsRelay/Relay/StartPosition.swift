#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RelayRoute {
    /// Where a new consumer of a stream begins. One that is there goes on where it was.
    @nonexhaustive
    public enum StartPosition: Hashable, Sendable {
        /// With what is stored after it was made.
        case new
        /// With the oldest that the stream has.
        case stored
        /// With the latest of each subject that the stream has: of each sender, where notifications have senders. Then with what is new.
        case latest
        /// With the notification that has a number in the stream, or the next one.
        case sequence(UInt64)
        /// With the first that was stored at a time, or after it.
        case time(Date)
    }
}

extension RelayRoute.StartPosition {
    /// The beginning as the members of a consumer's configuration.
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
