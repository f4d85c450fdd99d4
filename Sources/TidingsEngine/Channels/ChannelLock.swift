import Synchronization

/// The state of a channel under its lock, and the flag of those who left something to do for whoever holds it.
final class ChannelLock: Sendable {
    let state: Lock<ChannelState>

    /// Whether a post has departed from a marked lane since somebody last looked.
    let hasDepartures = Atomic(false)

    init(_ state: consuming sending ChannelState) { self.state = Lock(state) }
}
