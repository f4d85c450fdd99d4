import TidingsEngine

/// The monitors of a center as its posts read them, in a lane and without a lock. A list never changes: another one takes its
/// place.
///
/// A post retains nothing of it, as a reference count is a word to which every thread that posts would write.
@safe
@usableFromInline
final class MonitorList: @unchecked Sendable {  // immutable
    /// The monitors, in the order in which they were attached.
    let all: [AttachedMonitor]

    /// The same, as posts go through them: each keeps its place in memory. They are retained by `all`.
    private let references: UnsafeMutablePointer<Unmanaged<AttachedMonitor>>

    /// Whether a monitor carries contexts.
    let hasCarriers: Bool

    /// Whether a monitor follows posts.
    let hasFollowers: Bool

    /// Whether a monitor is told of some posts only.
    let isSampled: Bool

    /// Whether all measure by the continuous clock, so that one look at it serves all of them.
    let haveOneClock: Bool

    /// Which calls in a post a monitor is told of: those on the main actor, if it is for warnings only.
    let logging: CallLog.Selection

    /// Which calls in a post are measured.
    let measuring: CallLog.Selection

    /// Whether one event serves all monitors that are told of a call.
    let measureAlike: Bool

    /// What the channels of the center tell of posts and entries.
    let interests: HostInterests

    /// Whether monitors are told what becomes of each notification that waits. If not, they are told of its failure, of its drop, and
    /// of queues that get too long.
    let followsQueues: Bool

    /// Whether one event of a queue serves all: none carries contexts, follows posts, or is told of some posts only, and all measure alike.
    let tellAlike: Bool

    /// Whether a monitor is told of asynchronous calls; of notifications that wait; and whether one wants to know how long they do.
    let tellsCalls: Bool
    let tellsWaiting: Bool
    let measureQueues: Bool

    /// Whether a monitor is warned of calls that take too long on the main actor.
    let looksAtMainActor: Bool

    /// The lengths above which monitors are warned of a queue, the least first.
    let longQueues: [Int]

    /// Whether a monitor wants to know how long posts take.
    let measurePosts: Bool

    /// The identity of the ``Monitoring`` whose monitors they are.
    let monitoring: ObjectIdentifier

    init(_ monitors: [AttachedMonitor], of monitoring: Monitoring) {
        all = monitors
        self.monitoring = ObjectIdentifier(monitoring)
        // Freed in `deinit`.
        unsafe references = .allocate(capacity: monitors.count)
        for (index, monitor) in monitors.enumerated() {
            unsafe (references + index).initialize(to: .passUnretained(monitor))
        }
        hasCarriers = monitors.contains { $0.carrier != nil }
        hasFollowers = monitors.contains { $0.follower != nil }
        isSampled = monitors.contains { $0.isSampled }
        haveOneClock = monitors.allSatisfy(\.isContinuous)
        let isWarned = monitors.contains { $0.interests.contains(.warnings) }
        let ofMainActor = CallLog.Selection.mode(DeliveryMode.inPostOnMainActor.number)
        logging =
            monitors.contains { $0.interests.contains(.deliveries) } ? .all : isWarned ? ofMainActor : .none
        measuring =
            if !haveOneClock {
                .none
            } else if monitors.contains(where: { $0.interests.isSuperset(of: [.deliveries, .durations]) }) {
                .all
            } else {
                isWarned ? ofMainActor : .none
            }
        let measuring = monitors.filter { !$0.interests.isDisjoint(with: [.deliveries, .warnings]) }
        measureAlike =
            haveOneClock && Set(measuring.map { $0.interests.intersection([.durations, .warnings]) }).count <= 1
        // Owners whose age is looked at are looked at with each event.
        let tellsPosts = monitors.contains {
            $0.isCarrier || $0.follower != nil || !$0.interests.isDisjoint(with: [.posts, .deliveries])
                || $0.looksAtOwners
        }
        interests = tellsPosts ? [.entries, .posts] : isWarned ? [.entries, .beginnings] : .entries
        followsQueues = monitors.contains {
            $0.isCarrier || $0.follower != nil || !$0.interests.isDisjoint(with: [.deliveries, .queues])
                || $0.looksAtOwners
        }
        tellAlike = measureAlike && !hasCarriers && !hasFollowers && !isSampled
        tellsCalls = isWarned || monitors.contains { $0.interests.contains(.deliveries) }
        tellsWaiting = monitors.contains { $0.interests.contains(.queues) }
        measureQueues = measuring.contains { $0.interests.contains(.durations) }
        looksAtMainActor = monitors.contains { $0.limits?.mainActorCall != nil }
        longQueues = monitors.compactMap { $0.limits?.waiting }.sorted()
        measurePosts = monitors.contains { $0.interests.isSuperset(of: [.posts, .durations]) }
    }

    deinit { unsafe references.deallocate() }

    /// Those that are told of the post that this thread makes, if it makes one, and of what becomes of a notification that waits.
    var ofQueue: [AttachedMonitor] {
        let interests: MonitorInterests = [.queues, .deliveries, .drops, .warnings]
        return all.filter { monitor in
            (monitor.isCarrier || !monitor.interests.isDisjoint(with: interests)) && !ToldPost.leavesOut(monitor)
        }
    }

    /// Those that are told of asynchronous calls.
    var ofCalls: [AttachedMonitor] { all.filter { $0.interests.contains(.deliveries) } }

    /// Whether an asynchronous call is measured.
    func measures(callOnMainActor: Bool) -> Bool { measureQueues || callOnMainActor && looksAtMainActor }

    /// Calls a closure with each monitor and its number.
    @inline(__always)
    func each(_ body: (Int, AttachedMonitor) -> Void) {
        for index in 0..<all.count { unsafe references[index]._withUnsafeGuaranteedRef { body(index, $0) } }
    }

    /// A bit for each monitor; none, if there are more than 64, as those behind are told of all posts.
    var everyBit: UInt64 { all.count > 64 ? 0 : all.count == 64 ? .max : (1 << UInt64(all.count)) - 1 }

    /// Counts a post.
    ///
    /// - Parameters:
    ///   - lane: The number of its lane, if it is in one.
    ///   - isCaused: Whether a delivery of which monitors were told causes the post.
    /// - Returns: A bit for each monitor that is not told of it.
    func leftOut(in lane: Int?, isCaused: Bool) -> UInt64 {
        var leftOut: UInt64 = 0
        each { index, monitor in
            if !monitor.takesPost(in: lane, isCaused: isCaused), index < 64 { leftOut |= 1 << UInt64(index) }
        }
        return leftOut
    }

    /// Makes a post in the contexts of all monitors that carry one: the first monitor's is the outermost.
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
