import Tidings

/// Does to a center what a program says, and notes what can be seen.
///
/// Programs are sequential, so nothing here is locked but what a drain on another thread may touch: who is alive.
final class World: @unchecked Sendable {  // one operation after the other; see above
    private final class Object: Sendable {}

    private struct Plain: TypedNotification { let post: Int }
    private struct OfObject: TypedNotification {
        let sender: Object
        let post: Int
    }
    private struct OfValue: TypedNotification {
        let sender: Int
        let post: Int
    }
    private struct OfAny: TypedNotification {
        let sender: Any?
        let post: Int
    }

    private(set) var events: [Event] = []

    private var center: any TypedNotificationCenter
    private let closures = LivingClosures()
    private var tokens: [Int: NotificationToken] = [:]
    private var owners: [Int: Object] = [:]
    private var senders: [Int: Object] = [:]
    private var drains: [Task<Void, Never>] = []
    private var posts = 0
    private var depth = 0

    init(_ center: any TypedNotificationCenter) { self.center = center }

    /// Does an operation from outside, after which the closures of the observers that ended must have been released.
    func perform(_ operation: Operation, ended: [Int]) async {
        execute(operation)
        for drain in drains { await drain.value }
        drains = []
        noteKept(among: ended)
    }

    /// Lets the center go with the observers that are still in it, after which every closure must have been released.
    func finish() {
        center = NativeNotificationCenter()
        noteKept(among: closures.all.sorted())
        tokens = [:]
    }

    private func noteKept(among ended: [Int]) {
        for observer in ended where closures.contains(observer) { events.append(.kept(observer: observer)) }
    }

    private func execute(_ operation: Operation) {
        switch operation {
        case .post(let kind, let place): post(kind, place)
        case .add(let observer, let kind, let sender, let owner, let body):
            add(observer, kind, sender, owner.map { object(in: \.owners, $0) }, body)
        case .cancel(let observer): tokens[observer]?.cancel()
        case .remove(let observer): if let token = tokens[observer] { remove(token) }
        case .letGo(let observer): _ = tokens.removeValue(forKey: observer)
        case .drain(let observer):
            guard let token = tokens[observer] else { return }
            token.cancel()
            drains.append(Task { await token.cancelAndDrain() })
        case .look(let observer):
            guard let token = tokens[observer] else { return }
            events.append(.looked(observer: observer, isActive: token.isActive))
        case .endOwner(let place): owners[place] = nil
        case .endSender(let place): senders[place] = nil
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

    private func add(_ observer: Int, _ kind: Kind, _ place: Int?, _ owner: Object?, _ body: Program) {
        switch kind {
        case .plain: add(observer, Plain.self, nil, owner, body) { $0.post }
        case .ofObject:
            add(observer, OfObject.self, place.map { object(in: \.senders, $0) }, owner, body) { $0.post }
        case .ofValue: add(observer, OfValue.self, place, owner, body) { $0.post }
        case .ofAny: add(observer, OfAny.self, place.map(anySender), owner, body) { $0.post }
        }
    }

    private func add<N: TypedNotification>(
        _ number: Int, _ type: N.Type, _ sender: N.Sender?, _ owner: Object?, _ body: Program,
        post: @escaping @Sendable (N) -> Int
    ) {
        let closure = closures.closure(of: number)
        let call = { @Sendable [self] (note: N) in
            events.append(.called(observer: number, post: post(note)))
            if depth < ProgramGenerator.depth, closure.isFirstCall() { act(body) }
        }
        if let owner {
            tokens[number] = center.addObserver(owner, for: type, sender: sender) { _, note in call(note) }
        } else if let native = center as? NativeNotificationCenter, number.isMultiple(of: 2) {
            // The native center's own method, which is not the one that every center has.
            tokens[number] = native.addObserver(for: type, sender: sender, using: call)
        } else {
            tokens[number] = center.addObserver(for: type, sender: sender, using: call)
        }
    }

    /// Does what an observer does when it is called for the first time.
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

    private func anySender(_ place: Int?) -> Any? {
        place.map { $0 == 2 ? $0 as Any : object(in: \.senders, $0) }
    }
}
