import Tidings

/// A program for a center: operations one after the other.
typealias Program = [Operation]

/// Something that is done to a center, from outside or by an observer.
///
/// Observers have numbers of their own. Owners and senders are objects in a few places; where one has died, the next one
/// that is named there is born.
indirect enum Operation: Sendable {
    /// Posts a notification of a kind, from the sender in a place.
    case post(Kind, sender: Int?)
    /// Adds an observer, which does something when it is called for the first time.
    case add(observer: Int, Kind, Way = .inPost, sender: Int?, owner: Int?, body: Program)
    /// Cancels the token of an observer.
    case cancel(observer: Int)
    /// Hands the token of an observer to the center, to be removed.
    case remove(observer: Int)
    /// Lets go of the token of an observer.
    case letGo(observer: Int)
    /// Cancels and drains the token of an observer; inside an observer in a task that is waited for later.
    case drain(observer: Int)
    /// Looks whether the token of an observer is active.
    case look(observer: Int)
    /// Lets go of the owner in a place.
    case endOwner(Int)
    /// Lets go of the sender in a place.
    case endSender(Int)
    /// Lets an asynchronous observer have what is queued for it.
    case run(observer: Int)
    /// Lets an observer's actor have what is queued for it, and then lets it go.
    case endActor(observer: Int)
    /// Finishes the center, and does not wait.
    case finish
}

/// How an observer is called.
enum Way: Equatable, Sendable {
    /// In the post.
    case inPost
    /// Inside an actor of its own, which stands still until it is run.
    case actor(BufferingPolicy)
    /// In a task, where each call stands still until it is run.
    case task
    /// As a sequence, which is read when it is run.
    case sequence(BufferingPolicy)
    /// Whenever the observer can be called, at the same time as the program goes on. Such observers only note the call.
    case freeInActor, freeOnMainActor, freeInTask

    /// Whether the observer is called at times of its own.
    var isFree: Bool { self == .freeInActor || self == .freeOnMainActor || self == .freeInTask }

    /// What becomes of what waits.
    var policy: BufferingPolicy {
        switch self {
        case .actor(let policy), .sequence(let policy): policy
        default: .unbounded
        }
    }
}

/// The kinds of notification in a program: with what senders.
enum Kind: Int, CaseIterable, Sendable {
    case plain, ofObject, ofValue, ofAny
}

extension Operation {
    /// The number of operations, those inside observers included.
    var count: Int {
        if case .add(_, _, _, _, _, let body) = self { 1 + body.reduce(0) { $0 + $1.count } } else { 1 }
    }

    /// What the operation does, a line for each that it contains.
    func lines(indentation: String) -> [String] {
        func from(_ sender: Int?) -> String { sender.map { " from sender \($0)" } ?? "" }
        switch self {
        case .post(let kind, let sender): return ["\(indentation)post \(kind)\(from(sender))"]
        case .cancel(let observer): return ["\(indentation)cancel #\(observer)"]
        case .remove(let observer): return ["\(indentation)remove #\(observer)"]
        case .letGo(let observer): return ["\(indentation)let go of the token of #\(observer)"]
        case .drain(let observer): return ["\(indentation)cancel and drain #\(observer)"]
        case .look(let observer): return ["\(indentation)look whether #\(observer) is active"]
        case .endOwner(let place): return ["\(indentation)let go of owner \(place)"]
        case .endSender(let place): return ["\(indentation)let go of sender \(place)"]
        case .run(let observer): return ["\(indentation)run #\(observer)"]
        case .endActor(let observer): return ["\(indentation)run and let go of the actor of #\(observer)"]
        case .finish: return ["\(indentation)finish the center"]
        case .add(let observer, let kind, let way, let sender, let owner, let body):
            let owned = owner.map { " for owner \($0)" } ?? ""
            let called = way == .inPost ? "" : " (\(way))"
            let line = "\(indentation)add #\(observer)\(called) to \(kind)\(from(sender))\(owned)"
            if body.isEmpty { return [line] }
            return ["\(line), which then will:"] + body.flatMap { $0.lines(indentation: indentation + "    ") }
        }
    }
}

extension Program {
    /// The program, an operation a line.
    var text: String { flatMap { $0.lines(indentation: "    ") }.joined(separator: "\n") }
}
