@safe
struct CallLogging: PostHook {
    let log: UnsafeMutablePointer<CallLog>

    let reach: PostReach

    var refusals: Int { unsafe log.pointee.refusals }

    @inline(__always)
    func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool {
        if !reach.includes(entry) { return false }
        if unsafe log.pointee.hasConditions { unsafe log.pointee.lookForCondition(details().isConditional) }
        if unsafe log.pointee.logging.isNone { return true }
        if unsafe log.pointee.isFull { unsafe CallLog.tell(log, false) }
        unsafe log.pointee.callBegins(details())
        if unsafe log.pointee.tellsEach, unsafe log.pointee.isLogged { unsafe CallLog.tell(log, true) }
        return true
    }

    @inline(__always)
    func didCall(_ entry: Entry) {
        if unsafe log.pointee.isRefused(entry) {
            if unsafe log.pointee.isWaiting, unsafe log.pointee.tellsNow { unsafe CallLog.tell(log, false) }
            return
        }
        if unsafe !log.pointee.isLogged { return }
        unsafe log.pointee.callEnded(entry)
        if unsafe log.pointee.tellsNow { unsafe CallLog.tell(log, false) }
    }
}

extension TypedChannel {
    /// Makes a post, and logs the calls. Returns the number of observers called. `isAdmitted` is `false` if the host
    /// has refused the post. In that case, no observer is called, and monitors receive only the post.
    ///
    /// `begin` is called before the first call, with the number of the post's lane, if it has one. `end` is called
    /// after the last call. If the post has a lane, everything that the post can see is kept until `end` has returned,
    /// including objects that ``Channel/setMonitored(_:)`` has replaced.
    package func post(
        _ payload: Payload, from sender: (Payload) -> Sender, reaching reach: PostReach, isAdmitted: Bool,
        in log: UnsafeMutablePointer<CallLog>,
        begin: (Int?) -> Void, end: (Int) -> Void
    ) -> Int {
        let (flags, begun) = isAdmitted ? everyone.beginning.parts : (.hasEntries, 0)
        if !flags.contains(.hasEntries) { return 0 }
        var hook = unsafe CallLogging(log: log, reach: reach)
        guard let lane = lanes.claim(name) else {
            unsafe log.pointee.isInLane = false
            begin(nil)
            let filtered = flags.contains(.isFiltered) ? search(from: sender(payload)) : nil
            let calls = postWithoutLane(payload, filtered, begun, &hook)
            end(calls)
            return calls
        }
        host.willPost()
        begin(lanes.number(of: lane))
        let found = unsafe flags.contains(.isFiltered) ? roster(of: sender(payload)) : nil
        let hasConditions = hasConditions.load(ordering: .relaxed)
        unsafe log.pointee.hasConditions = hasConditions
        let calls: Int
        if reach.isEveryone, unsafe log.pointee.logging.isNone, !hasConditions {
            calls = unsafe callPlainly(found, flags, begun, payload, lane)
        } else {
            calls = unsafe call(found, flags, begun, payload, lane, &hook) - hook.refusals
        }
        end(calls)
        count(calls, lane)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls
    }

    /// Not inlined, because in a function with two types of hooks, the compiler leaves one type unspecialized.
    @inline(never)
    private func callPlainly(
        _ found: Unmanaged<Roster>?, _ flags: Roster.Flags, _ begun: Int, _ payload: Payload, _ lane: Lane
    ) -> Int {
        var hook = NoHook()
        return unsafe call(found, flags, begun, payload, lane, &hook)
    }
}
