// swift-format-ignore-file
// The part of Combine's interface that the package and its clients need. See UIKit.swift.

public enum Subscribers {
    @frozen public struct Demand: Equatable, Comparable, Hashable, CustomStringConvertible, Sendable {
        public static let unlimited = Demand()
        public static let none = Demand()
        public static func max(_ value: Int) -> Demand { Demand() }
        public var max: Int? { nil }
        public var description: String { "" }
        public static func + (lhs: Demand, rhs: Demand) -> Demand { lhs }
        public static func += (lhs: inout Demand, rhs: Demand) {}
        public static func += (lhs: inout Demand, rhs: Int) {}
        public static func - (lhs: Demand, rhs: Demand) -> Demand { lhs }
        public static func -= (lhs: inout Demand, rhs: Demand) {}
        public static func -= (lhs: inout Demand, rhs: Int) {}
        public static func < (lhs: Demand, rhs: Demand) -> Bool { false }
        public static func > (lhs: Demand, rhs: Int) -> Bool { false }
    }

    @frozen public enum Completion<Failure: Error>: Sendable {
        case finished
        case failure(Failure)
    }
}

public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    public init() {}
    public init(_ object: AnyObject) {}
    public var description: String { "" }
}

public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

public protocol Cancellable {
    func cancel()
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error
    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input
}

extension Publisher {
    public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {}
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> { Publishers.Map() }
}

extension Publisher where Failure == Never {
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable { AnyCancellable {} }
}

public enum Publishers {
    public struct Map<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {}
    }
}

public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
}

public final class AnyCancellable: Cancellable, Hashable {
    public init(_ cancel: @escaping () -> Void) {}
    public func cancel() {}
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
    public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public final class PassthroughSubject<Output, Failure: Error>: Subject {
    public init() {}
    public func send(_ value: Output) {}
    public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {}
}

public protocol ObservableObject: AnyObject {}
public protocol Scheduler {}
public struct Just<Output> { public init(_ output: Output) {} }
public struct Record<Output, Failure: Error> {}
public final class Future<Output, Failure: Error> {}

@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
