import TestSupport
import Tidings
import TidingsConformance

/// Performs the operations of a program on a center, and records the observable events.
///
/// Programs are sequential, even if observers run on other threads, because each step waits for the previous one. Locks
/// protect the state that a drain on another thread may access, the set of living closures, and the events of observers
/// that are called at unpredictable times.
final class World: @unchecked Sendable {  // operations run one after the other; see above
    final class Object: Sendable {}

    private struct Plain: TypedNotification { let post: Int }
    private struct OfObject: TypedNotification {
        let sender: Object
        let post: Int
    }
    private struct OfValue: TypedNotification {
        let sender: Int
        let post: Int
    }
    private struct OfAny: TypedNotification, Sendable {
        let sender: (any Sendable)?
        let post: Int
    }

    var events: [Event] = []

    var center: any TypedNotificationCenter
    let asynchronously: any AsynchronousObserving
    /// The time limit for events that have to happen.
    let patience: Duration
    let closures = LivingClosures()
    var tokens: [Int: NotificationToken] = [:]
    var lines: [Int: any Line] = [:]
    private var owners: [Int: Object] = [:]
    private var senders: [Int: Object] = [:]
    var drains: [(observer: Int, task: Task<Void, Never>)] = []
    var finishes: [PendingFinish] = []
    private var posts = 0
    private var depth = 0

    init(_ center: any TypedNotificationCenter, asynchronously: any AsynchronousObserving, patience: Duration) {
        self.center = center
        self.asynchronously = asynchronously
        self.patience = patience
    }

    /// Performs a top-level operation that the model has already performed.
    func perform(_ operation: Operation, beside model: ReferenceModel) async {
        if case .finish = operation { await finishCenter() } else { execute(operation) }
        await catchUp(with: model, after: operation)
        noteKept(among: model.ended)
    }

    /// Releases the center with its remaining observers. After that, every closure must have been released.
    func finish(beside model: ReferenceModel) async {
        for (number, line) in lines.sorted(by: { $0.key < $1.key }) {
            await line.settle(number, in: self, beside: model)
        }
        await settleFinishes()
        center = NativeNotificationCenter()
        for line in lines.values { line.letGo() }
        await wait {
            for line in self.lines.values { line.runPending() }
            return self.closures.all.isEmpty || self.lines.isEmpty
        }
        noteKept(among: closures.all.sorted())
        end()
    }

    func end() {
        center = NativeNotificationCenter()
        for finish in finishes { finish.cancel() }
        finishes = []
        for token in tokens.values { token.cancel() }
        for line in lines.values { line.end() }
        tokens = [:]
        lines = [:]
    }

    func noteKept(among ended: [Int]) {
        for observer in ended where closures.contains(observer) { events.append(.kept(observer: observer)) }
    }

    private func execute(_ operation: Operation) {
        switch operation {
        case .post(let kind, let place): post(kind, place)
        case .add(let observer, let kind, let way, let sender, let owner, let body):
            add(observer, kind, way, sender, owner.map { object(in: \.owners, $0) }, body)
        case .cancel(let observer):
            guard let token = tokens[observer] else { return }
            token.cancel()
            lines[observer]?.noteEnd()
        case .remove(let observer):
            guard let token = tokens[observer] else { return }
            remove(token)
            lines[observer]?.noteEnd()
        case .letGo(let observer):
            tokens[observer] = nil
            lines[observer]?.letGo()
        case .drain(let observer):
            guard let token = tokens[observer] else { return }
            token.cancel()
            lines[observer]?.noteEnd()
            drains.append((observer, Task { await token.cancelAndDrain() }))
        case .look(let observer):
            if let count = lines[observer]?.droppedCount(tokens[observer]) {
                events.append(.dropped(observer: observer, count))
            }
            guard let token = tokens[observer] else { return }
            events.append(.looked(observer: observer, isActive: token.isActive))
        case .endOwner(let place): owners[place] = nil
        case .endSender(let place): senders[place] = nil
        case .run, .endActor, .finish: break
        }
    }

    private func remove(_ token: NotificationToken) {
        if let center = center as? NativeNotificationCenter { center.removeObserver(token) } else { token.cancel() }
    }

    private func post(_ kind: Kind, _ place: Int?) {
        let post = posts
        posts += 1
        let calls =
            switch kind {
            case .plain: center.post(Plain(post: post))
            case .ofObject: center.post(OfObject(sender: object(in: \.senders, place ?? 0), post: post))
            case .ofValue: center.post(OfValue(sender: place ?? 0, post: post))
            case .ofAny: center.post(OfAny(sender: anySender(place), post: post))
            }
        events.append(.posted(post, calls: calls))
    }

    private func add(_ observer: Int, _ kind: Kind, _ way: Way, _ place: Int?, _ owner: Object?, _ body: Program) {
        switch kind {
        case .plain: add(observer, Plain.self, way, nil, owner, body) { $0.post }
        case .ofObject:
            add(observer, OfObject.self, way, place.map { object(in: \.senders, $0) }, owner, body) { $0.post }
        case .ofValue: add(observer, OfValue.self, way, place, owner, body) { $0.post }
        case .ofAny: add(observer, OfAny.self, way, place.map(anySender), owner, body) { $0.post }
        }
    }

    private func add<N: TypedNotification & Sendable>(
        _ number: Int, _ type: N.Type, _ way: Way, _ sender: N.Sender?, _ owner: Object?, _ body: Program,
        post: @escaping @Sendable (N) -> Int
    ) where N.Sender: Sendable {
        if way != .inPost { return observe(number, type, way, sender, body, post: post) }
        let call = call(number, body)
        if let owner {
            tokens[number] = center.addObserver(owner, for: type, sender: sender) { _, note in call(post(note)) }
        } else if let native = center as? NativeNotificationCenter, number.isMultiple(of: 2) {
            // Calls the native center's own method, which differs from the method of the protocol.
            tokens[number] = native.addObserver(for: type, sender: sender) { note in call(post(note)) }
        } else {
            tokens[number] = center.addObserver(for: type, sender: sender) { note in call(post(note)) }
        }
    }

    func call(_ number: Int, _ body: Program) -> @Sendable (Int) -> Void {
        let closure = closures.closure(of: number)
        return { [self] post in
            events.append(.called(observer: number, post: post))
            if depth < ProgramGenerator.depth, closure.isFirstCall() { act(body) }
        }
    }

    private func act(_ body: Program) {
        depth += 1
        for operation in body { execute(operation) }
        depth -= 1
    }

    private func object(in objects: ReferenceWritableKeyPath<World, [Int: Object]>, _ place: Int) -> Object {
        if let object = self[keyPath: objects][place] { return object }
        let object = Object()
        self[keyPath: objects][place] = object
        return object
    }

    private func anySender(_ place: Int?) -> (any Sendable)? {
        place.map { $0 == 2 ? $0 as any Sendable : object(in: \.senders, $0) }
    }
}
