/// What a program does, by the promises: sequential, and as simple as can be.
struct ReferenceModel {
    struct Observer {
        let kind: Kind
        let way: Way
        let sender: Identity?
        let owner: Identity?
        var body: Program?
        var isLive = true
        /// Whether the center has finished, and the observer still gets what waits for it.
        var isFinishing = false
        /// Whether the observer was added to a center that had finished.
        var isRefused = false
        var hasToken = true
        /// Whether there still is the sequence, if the observer is one.
        var hasSequence = false

        /// What waits for an asynchronous observer.
        var queue: [Queued] = []
        /// The call of an observer in a task that stands still.
        var held: Queued?
        var droppedCount = 0
        /// What an observer that is called at times of its own is to see in the end, or a part of it if it is cancelled.
        var expected: [Int] = []
    }

    /// A notification that waits for an observer, and keeps its sender alive meanwhile.
    struct Queued {
        let post: Int
        let sender: Identity?
    }

    /// An object or a value that is a sender or an owner.
    struct Identity: Hashable {
        let place: Int
        /// Tells objects in the same place apart; 0 for values.
        let generation: Int
    }

    var events: [Event] = []
    /// The observers that ended since the last operation from outside, whose closures must be released after it.
    var ended: [Int] = []
    /// How often each observer was run by the last operation from outside, in the order of the runs.
    var runs: [(observer: Int, calls: Int)] = []
    /// How many operations were done.
    private(set) var operations = 0

    /// The observers in tasks with a call that stands still.
    var held: Set<Int> = []

    /// The observers that are being run.
    var isRunning: Set<Int> = []

    /// The observers by number, and the numbers of the live ones in the order in which they were registered.
    var observers: [Int: Observer] = [:]
    private var order: [Int] = []
    private var isFinished = false
    private var posts = 0
    private var depth = 0

    var owners: [Int: Identity] = [:]
    private var senders: [Int: Identity] = [:]
    private var generations = 0
    /// How many calls, posts and notifications that wait keep an owner or a sender alive.
    var pins: [Identity: Int] = [:]

    /// Does an operation from outside.
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
                // It is not called. Whether it is counted depends on when the center found its owner dead.
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

    /// Does what an observer does when it is called for the first time.
    mutating func act(_ number: Int) {
        guard depth < ProgramGenerator.depth, let body = observers[number]?.body else { return }
        observers[number]?.body = nil
        depth += 1
        for operation in body { execute(operation) }
        depth -= 1
    }

    /// Lets nothing new reach anybody; what waits for an observer is still handled.
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
        // Whoever is called at times of its own may be done, or not; so may whoever was called last, and is about to return.
        events.append(.finished(left: finishing.values.count(where: \.isWaiting)...finishing.count))
    }

    /// Ends an observer that is added to a center which has finished.
    private mutating func endAtOnce(_ observer: Int) {
        observers[observer]?.isLive = false
        observers[observer]?.isRefused = true
        // The closure of a sequence belongs to who reads it.
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

    /// Notes that the observers of a kind whose owner is dead have ended.
    ///
    /// Where many observers are tied to an owner or an object, a center may look at some of them each time.
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

    /// The object in a place, born if there is none.
    private mutating func object(
        in objects: WritableKeyPath<ReferenceModel, [Int: Identity]>, _ place: Int
    ) -> Identity {
        if let object = self[keyPath: objects][place] { return object }
        generations += 1
        let object = Identity(place: place, generation: generations)
        self[keyPath: objects][place] = object
        return object
    }

    /// The sender that a kind of notification finds in a place.
    private mutating func sender(_ kind: Kind, _ place: Int?, isPosting: Bool) -> Identity? {
        switch kind {
        case .plain: return nil
        case .ofObject: return (place ?? (isPosting ? 0 : nil)).map { object(in: \.senders, $0) }
        case .ofValue: return (place ?? (isPosting ? 0 : nil)).map { Identity(place: $0, generation: 0) }
        case .ofAny: return place.map { $0 == 2 ? Identity(place: $0, generation: 0) : object(in: \.senders, $0) }
        }
    }
}
