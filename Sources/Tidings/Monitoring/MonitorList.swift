import TidingsEngine

/// An immutable list of the attached monitors, which posts read without a lock. A post's hazard pointer keeps it alive.
/// Posts retain neither the list nor a monitor, because all threads would then write to one reference count.
@safe
@usableFromInline
final class MonitorList: @unchecked Sendable {  // immutable
    let all: [AttachedMonitor]

    /// Unretained references to the monitors in `all`, which retains them.
    private let references: UnsafeMutablePointer<Unmanaged<AttachedMonitor>>

    let hasCarriers: Bool
    let hasFollowers: Bool
    let isSampled: Bool

    /// Whether all monitors use the continuous clock, so that one reading serves all of them.
    let haveOneClock: Bool

    let logging: CallLog.Selection

    let measuring: CallLog.Selection
    let measureAlike: Bool
    let interests: HostInterests

    /// If `false`, queues only report errors, drops and lengths above a limit. Even then, queues on the main actor
    /// report everything if `looksAtMainActor` is `true`.
    let followsQueues: Bool

    /// Whether a queue can send the same event value to all monitors.
    let tellAlike: Bool

    let tellsCalls: Bool
    let tellsWaiting: Bool
    let measureQueues: Bool
    let looksAtMainActor: Bool
    let longQueues: [Int]
    let measurePosts: Bool
    let monitoring: ObjectIdentifier

    init(_ monitors: [AttachedMonitor], of monitoring: Monitoring) {
        all = monitors
        self.monitoring = ObjectIdentifier(monitoring)
        unsafe references = .allocate(capacity: monitors.count)
        for (index, monitor) in monitors.enumerated() {
            unsafe (references + index).initialize(to: .passUnretained(monitor))
        }
        hasCarriers = monitors.contains { $0.carrier != nil }
        hasFollowers = monitors.contains { $0.follower != nil }
        isSampled = monitors.contains { $0.isSampled }
        haveOneClock = monitors.allSatisfy(\.isContinuous)
        let isWarned = monitors.contains { $0.interests.contains(.warnings) }
        let isToldCalls = monitors.contains { $0.interests.contains(.deliveries) }
        let measuresCalls = monitors.contains { $0.interests.isSuperset(of: [.deliveries, .durations]) }
        let forWarnings = isWarned ? CallLog.Selection.mode(DeliveryMode.inPostOnMainActor.number) : .none
        logging = isToldCalls ? .all : forWarnings
        self.measuring = !haveOneClock ? .none : measuresCalls ? .all : forWarnings
        let measuring = monitors.filter { !$0.interests.isDisjoint(with: [.deliveries, .warnings]) }
        measureAlike =
            haveOneClock && Set(measuring.map { $0.interests.intersection([.durations, .warnings]) }).count <= 1
        func follows(_ interests: MonitorInterests) -> Bool {
            // A monitor with an `ownerAge` checks owners when it receives an event, so it needs all events.
            monitors.contains {
                $0.isCarrier || $0.follower != nil || $0.looksAtOwners || !$0.interests.isDisjoint(with: interests)
            }
        }
        interests =
            follows([.posts, .deliveries]) ? [.entries, .posts] : isWarned ? [.entries, .beginnings] : .entries
        followsQueues = follows([.deliveries, .queues])
        tellAlike = measureAlike && !hasCarriers && !hasFollowers && !isSampled
        tellsCalls = isWarned || isToldCalls
        tellsWaiting = monitors.contains { $0.interests.contains(.queues) }
        measureQueues = measuring.contains { $0.interests.contains(.durations) }
        looksAtMainActor = monitors.contains { $0.limits?.mainActorCall != nil }
        // A limit of `Int.max` is omitted. No queue exceeds that limit, and a queue that adds 1 to it would overflow.
        longQueues = monitors.compactMap { $0.limits?.waiting }.filter { $0 < .max }
        measurePosts = monitors.contains { $0.interests.isSuperset(of: [.posts, .durations]) }
    }

    deinit { unsafe references.deallocate() }

    var ofQueue: [AttachedMonitor] {
        if isSampled, ToldPost.leavesOutAll(of: self) { return [] }
        let interests: MonitorInterests = [.queues, .deliveries, .drops, .warnings]
        return all.filter { monitor in
            (monitor.isCarrier || !monitor.interests.isDisjoint(with: interests)) && !ToldPost.leavesOut(monitor)
        }
    }

    var ofCalls: [AttachedMonitor] { all.filter { $0.interests.contains(.deliveries) } }

    func measures(callOnMainActor: Bool) -> Bool { measureQueues || callOnMainActor && looksAtMainActor }

    @inline(__always)
    func each(_ body: (Int, AttachedMonitor) -> Void) {
        for index in 0..<all.count { unsafe references[index]._withUnsafeGuaranteedRef { body(index, $0) } }
    }

    /// A bit for each monitor; 0 if there are more than 64. Monitors after the 64th receive all posts.
    var everyBit: UInt64 { all.count > 64 ? 0 : all.count == 64 ? .max : (1 << UInt64(all.count)) - 1 }

    func leftOut(in lane: Int?, isCaused: Bool) -> UInt64 {
        var leftOut: UInt64 = 0
        each { index, monitor in
            if !monitor.takesPost(in: lane, isCaused: isCaused), index < 64 { leftOut |= 1 << UInt64(index) }
        }
        return leftOut
    }

    /// Runs the post in the contexts of all monitors that carry contexts. The first monitor's context is the outermost.
    func surround(post subject: NotificationSubject, from place: SourcePlace?, _ body: () -> Void) {
        surround(post: subject, from: place, all.compactMap(\.carrier)[...], body)
    }

    private func surround(
        post subject: NotificationSubject, from place: SourcePlace?,
        _ carriers: ArraySlice<any ContextCarryingMonitor>, _ body: () -> Void
    ) {
        guard let carrier = carriers.first else { return body() }
        carrier.post(subject, from: place) { surround(post: subject, from: place, carriers.dropFirst(), body) }
    }
}
