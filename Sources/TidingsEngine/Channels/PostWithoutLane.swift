extension TypedChannel {
    /// Posts with copies of the closures, which keep them alive: for the case that more posts are under way than there are
    /// lanes, as when they are nested deeply, that one observer is left out, or that monitors are told of each call.
    @usableFromInline
    func postWithoutLane(_ notification: N) -> Int { postWithoutLane(notification, except: nil) }

    /// Posts to all observers but one, and tells monitors of each call.
    func postWithoutLane(_ notification: N, except left: Entry?, _ monitors: [AttachedMonitor] = []) -> Int {
        var calls = 0
        for copy in copies(for: SenderIdentity(of: notification.sender)) where copy.entry != left {
            let isLive = withState { state in
                if copy.entry.isLive { state.callsWithoutLane.append(copy.entry) }
                return copy.entry.isLive
            }
            guard isLive else { continue }
            let watch = copy.registration.delivery.isInPost && !monitors.isEmpty ? Watch(monitors) : nil
            copy.body(notification)
            calls += 1
            let ended = withState { state in
                if let index = state.callsWithoutLane.lastIndex(of: copy.entry) {
                    state.callsWithoutLane.remove(at: index)
                }
                return state.takeEndedDrains(in: self)
            }
            for continuation in ended { continuation.resume() }
            watch?.endCall(of: ObserverDescription(copy.entry.word, of: subject, copy.registration))
        }
        return calls
    }

    /// Copies of all closures that a post reaches, in the order in which they were registered.
    private func copies(for sender: SenderIdentity) -> [Copy] {
        var search = SenderSearch(sender)
        while true {
            let copies = withState { state -> (copies: [Copy], areMerged: Bool)? in
                let unfiltered = everyone.liveEntries().map { Copy($0, position: $0.number, isFiltered: false) }
                switch search.find(in: state.senders) {
                case .undecided: return nil
                case .absent: return (unfiltered, false)
                case .found(let roster):
                    let filtered = roster.liveEntries().map {
                        Copy($0, position: $0.chunk.position($0.index), isFiltered: true)
                    }
                    return (unfiltered + filtered, true)
                }
            }
            if let copies { return copies.areMerged ? copies.copies.sorted() : copies.copies }
            search.compare()
        }
    }

    /// A closure, and where it stands in the order in which all were registered.
    private final class Copy: Comparable, Sendable {
        let entry: Entry
        let body: @Sendable (N) -> Void
        let registration: ObserverRegistration
        private let position: Int
        private let isFiltered: Bool

        init(_ entry: Entry, position: Int, isFiltered: Bool) {
            self.entry = entry
            self.position = position
            self.isFiltered = isFiltered
            // Live, under the lock: the closure is there, and this copy keeps what it captured.
            body = unsafe entry.chunk.entry(entry.index).assumingMemoryBound(to: Observer<N>.self).pointee.body
            registration = entry.chunk.registration(entry.index)
            entry.chunk.retain()
        }

        deinit { entry.chunk.release() }

        /// One that is limited to a sender stands before the one for every sender that was added next.
        static func < (lhs: Copy, rhs: Copy) -> Bool {
            (lhs.position, lhs.isFiltered ? 0 : 1) < (rhs.position, rhs.isFiltered ? 0 : 1)
        }

        static func == (lhs: Copy, rhs: Copy) -> Bool { lhs === rhs }
    }
}
