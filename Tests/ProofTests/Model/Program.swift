import Tidings

/// A program for a center: operations that run one after the other.
typealias Program = [Operation]

/// An operation on a center. The program performs *top-level* operations, and observers perform the others.
///
/// Observers are numbered. Each owner or sender has one of a few numbered places. If the object of a place was
/// released, the next operation that needs an object there creates a new one.
indirect enum Operation: Sendable {
    case post(Kind, sender: Int?)
    /// Adds an observer, which performs the body when it is called for the first time.
    case add(observer: Int, Kind, Way = .inPost, sender: Int?, owner: Int?, body: Program)
    case cancel(observer: Int)
    /// Removes an observer by passing its token to the center.
    case remove(observer: Int)
    /// Releases the token of an observer.
    case letGo(observer: Int)
    /// Cancels and drains the token of an observer. The drain runs in a task, which ends before the next top-level
    /// operation begins.
    case drain(observer: Int)
    /// Checks whether the token of an observer is active.
    case look(observer: Int)
    case endOwner(Int)
    case endSender(Int)
    /// Runs an asynchronous observer with the notifications queued for it.
    case run(observer: Int)
    /// Runs an observer's actor with the notifications queued for it, and then releases the actor.
    case endActor(observer: Int)
    /// Finishes the center without waiting.
    case finish
}

enum Way: Equatable, Sendable {
    case inPost
    /// In the observer's own actor, which is blocked until the test runs the actor's jobs.
    case actor(BufferingPolicy)
    /// In a task. Each call is suspended until the test resumes it.
    case task
    /// As an async sequence, from which the test reads.
    case sequence(BufferingPolicy)
    /// At any time, concurrently with the program. Such observers only record the call.
    case freeInActor, freeOnMainActor, freeInTask

    /// Whether the observer is called at unpredictable times.
    var isFree: Bool { self == .freeInActor || self == .freeOnMainActor || self == .freeInTask }

    var policy: BufferingPolicy {
        switch self {
        case .actor(let policy), .sequence(let policy): policy
        default: .unbounded
        }
    }
}

/// The kinds of notification in a program, which differ in their senders.
enum Kind: Int, CaseIterable, Sendable {
    case plain, ofObject, ofValue, ofAny
}

extension Operation {
    /// The number of operations, including those that observers perform.
    var count: Int {
        if case .add(_, _, _, _, _, let body) = self { 1 + body.reduce(0) { $0 + $1.count } } else { 1 }
    }

    func lines(indentation: String) -> [String] {
        func from(_ sender: Int?) -> String { sender.map { " from sender \($0)" } ?? "" }
        switch self {
        case .post(let kind, let sender): return ["\(indentation)post \(kind)\(from(sender))"]
        case .cancel(let observer): return ["\(indentation)cancel #\(observer)"]
        case .remove(let observer): return ["\(indentation)remove #\(observer)"]
        case .letGo(let observer): return ["\(indentation)release the token of #\(observer)"]
        case .drain(let observer): return ["\(indentation)cancel and drain #\(observer)"]
        case .look(let observer): return ["\(indentation)check whether #\(observer) is active"]
        case .endOwner(let place): return ["\(indentation)release owner \(place)"]
        case .endSender(let place): return ["\(indentation)release sender \(place)"]
        case .run(let observer): return ["\(indentation)run #\(observer)"]
        case .endActor(let observer): return ["\(indentation)run and release the actor of #\(observer)"]
        case .finish: return ["\(indentation)finish the center"]
        case .add(let observer, let kind, let way, let sender, let owner, let body):
            let owned = owner.map { " for owner \($0)" } ?? ""
            let called = way == .inPost ? "" : " (\(way))"
            let line = "\(indentation)add #\(observer)\(called) to \(kind)\(from(sender))\(owned)"
            if body.isEmpty { return [line] }
            return ["\(line). Its first call will:"] + body.flatMap { $0.lines(indentation: indentation + "    ") }
        }
    }
}

extension Program {
    var text: String { flatMap { $0.lines(indentation: "    ") }.joined(separator: "\n") }
}
