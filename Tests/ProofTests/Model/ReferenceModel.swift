/// A simple, sequential implementation of the promises. It predicts the events of a program.
struct ReferenceModel {
    struct Observer {
        let kind: Kind
        let way: Way
        let sender: Identity?
        let owner: Identity?
        var body: Program?
        var isLive = true
        /// Whether the center has finished and the observer still receives its queued notifications.
        var isFinishing = false
        /// Whether the observer was added to a center that had finished.
        var isRefused = false
        var hasToken = true
        /// Whether the sequence still exists, if the observer is a sequence.
        var hasSequence = false

        var queue: [Queued] = []
        /// The suspended call of an observer in a task.
        var held: Queued?
        var droppedCount = 0
        /// The posts that an observer has to receive if it is called at unpredictable times. If the observer is
        /// cancelled, it may miss posts at the end of this array.
        var expected: [Int] = []
    }

    /// A queued notification, which keeps its sender alive.
    struct Queued {
        let post: Int
        let sender: Identity?
    }

    /// An object or a value that is a sender or an owner.
    struct Identity: Hashable {
        let place: Int
        /// Distinguishes successive objects in one place; 0 for values.
        let generation: Int
    }

    var events: [Event] = []
    /// The observers that ended during the last top-level operation. Their closures must have been released.
    var ended: [Int] = []
    /// The observers that the last top-level operation ran, in order, and the number of calls in each run.
    var runs: [(observer: Int, calls: Int)] = []
    private(set) var operations = 0

    /// The observers in tasks that have a suspended call.
    var held: Set<Int> = []

    var isRunning: Set<Int> = []

    /// All observers by number. `order` has the numbers of the active observers in the order of registration.
    var observers: [Int: Observer] = [:]
    private var order: [Int] = []
    private var isFinished = false
    private var posts = 0
    private var depth = 0

    var owners: [Int: Identity] = [:]
    private var senders: [Int: Identity] = [:]
    private var generations = 0
    /// The number of calls, posts and queued notifications that keep each owner or sender alive.
    var pins: [Identity: Int] = [:]

    mutating func perform(_ operation: Operation) {
        ended = []
        runs = []
        execute(operation)
        finishHeldCalls()
    }

    private mutating func execute(_ operation: Operation) {
        operations += 1
        switch operation {
        case .post(let kind, let place): post(kind, sender: sender(kind, place, isPosting: true))
        case .add(let observer, let kind, let way, let place, let ownerPlace, let body):
            endOrphans(of: kind, ifAtMost: 256)
            let owner = (ownerPlace ?? way.actorPlace(of: observer)).map { object(in: \.owners, $0) }
            let sender = sender(kind, place, isPosting: false)
            observers[observer] = Observer(kind: kind, way: way, sender: sender, owner: owner, body: body)
            if case .sequence = way {
                observers[observer]?.hasToken = false
                observers[observer]?.hasSequence = true
            }
            if isFinished { endAtOnce(observer) } else { order.append(observer) }
        case .cancel(let observer), .remove(let observer), .drain(let observer):
            if observers[observer]?.hasToken == true { end(observer) }
        case .letGo(let observer):
            if observers[observer]?.hasSequence == true { return endSequence(observer) }
            guard observers[observer]?.hasToken == true else { return }
            observers[observer]?.hasToken = false
            if observers[observer]?.owner == nil, observers[observer]?.way != .freeInActor { end(observer) }
        case .look(let number):
            guard let observer = observers[number] else { return }
            if observer.way != .inPost, observer.canBeLookedAt {
                events.append(.dropped(observer: number, observer.droppedCount))
            }
            guard observer.hasToken else { return }
            let isActive =
                observer.isLive && observer.owner.map(isAlive) != false && observer.sender.map(isAlive) != false
            events.append(.looked(observer: number, isActive: isActive))
        case .endOwner(let place): owners[place] = nil
        case .endSender(let place): senders[place] = nil
        case .run(let observer): run(observer)
        case .endActor(let observer):
            guard let place = observers[observer]?.way.actorPlace(of: observer) else { return }
            run(observer)
            owners[place] = nil
        case .finish: finish()
        }
    }

    private mutating func post(_ kind: Kind, sender: Identity?) {
        let post = posts
        posts += 1
        endOrphans(of: kind, ifAtMost: 16)
        var metOrphans = false
        if let sender { pins[sender, default: 0] += 1 }
        var calls = 0
        for number in order {
            guard let observer = observers[number], observer.kind == kind, observer.isLive else { continue }
            guard observer.sender == nil || observer.sender == sender else { continue }
            if let owner = observer.owner, !isAlive(owner) {
                // The observer isn't called. Whether the post counts the observer depends on when the center noticed
                // that the owner was deallocated.
                metOrphans = true
                ended.append(number)
                continue
            }
            calls += 1
            if observer.way != .inPost {
                put(Queued(post: post, sender: sender), into: number)
                continue
            }
            events.append(.called(observer: number, post: post))
            if let owner = observer.owner { pins[owner, default: 0] += 1 }
            act(number)
            if let owner = observer.owner { pins[owner, default: 0] -= 1 }
        }
        if let sender { pins[sender, default: 0] -= 1 }
        events.append(.posted(post, calls: metOrphans ? nil : calls))
    }

    /// Performs the operations of an observer that is called for the first time.
    mutating func act(_ number: Int) {
        guard depth < ProgramGenerator.depth, let body = observers[number]?.body else { return }
        observers[number]?.body = nil
        depth += 1
        for operation in body { execute(operation) }
        depth -= 1
    }

    /// Finishes the center. Queued notifications are still handled.
    private mutating func finish() {
        isFinished = true
        for number in order {
            observers[number]?.isLive = false
            if observers[number]?.way == .inPost {
                ended.append(number)
            } else {
                observers[number]?.isFinishing = true
            }
        }
        order = []
        let finishing = observers.filter { $0.value.isFinishing }
        for (number, observer) in finishing where !observer.isWaiting && !observer.hasSequence { ended.append(number) }
        // Observers that are called at unpredictable times may or may not have finished. The same holds for an observer
        // whose last call is about to return.
        events.append(.finished(left: finishing.values.count(where: \.isWaiting)...finishing.count))
    }

    private mutating func endAtOnce(_ observer: Int) {
        observers[observer]?.isLive = false
        observers[observer]?.isRefused = true
        // The reader of a sequence keeps the closure, so the closure isn't released here.
        if observers[observer]?.hasSequence == false { ended.append(observer) }
    }

    private mutating func endSequence(_ observer: Int) {
        observers[observer]?.hasSequence = false
        end(observer)
        ended.append(observer)
    }

    private mutating func end(_ observer: Int) {
        guard observers[observer]?.isOver == false else { return }
        observers[observer]?.isLive = false
        observers[observer]?.isFinishing = false
        order.removeAll { $0 == observer }
        ended.append(observer)
        discardQueue(of: observer)
    }

    /// Records the end of the observers whose owners were deallocated. If more than `limit` observers have an owner, or
    /// an object as their sender, a center may check only some of them, so the model records nothing.
    private mutating func endOrphans(of kind: Kind, ifAtMost limit: Int) {
        let mortals = order.filter { number in
            guard let observer = observers[number], observer.kind == kind else { return false }
            return observer.owner != nil || observer.way == .freeInActor
                || observer.sender.map { $0.generation > 0 } == true
        }
        if mortals.count > limit { return }
        for number in mortals {
            if let owner = observers[number]?.owner, !isAlive(owner) { ended.append(number) }
        }
    }

    func isAlive(_ identity: Identity) -> Bool {
        identity.generation == 0 || owners[identity.place] == identity || senders[identity.place] == identity
            || pins[identity, default: 0] > 0
    }

    private mutating func object(
        in objects: WritableKeyPath<ReferenceModel, [Int: Identity]>, _ place: Int
    ) -> Identity {
        if let object = self[keyPath: objects][place] { return object }
        generations += 1
        let object = Identity(place: place, generation: generations)
        self[keyPath: objects][place] = object
        return object
    }

    private mutating func sender(_ kind: Kind, _ place: Int?, isPosting: Bool) -> Identity? {
        switch kind {
        case .plain: return nil
        case .ofObject: return (place ?? (isPosting ? 0 : nil)).map { object(in: \.senders, $0) }
        case .ofValue: return (place ?? (isPosting ? 0 : nil)).map { Identity(place: $0, generation: 0) }
        case .ofAny: return place.map { $0 == 2 ? Identity(place: $0, generation: 0) : object(in: \.senders, $0) }
        }
    }
}
