// swift-format-ignore-file
//
// As much of SwiftUI's interface as a client that imports it beside the package needs, see UIKit.swift.

@_exported public import Combine
@_exported public import Foundation
@_exported public import Observation

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

public struct Text: View {
    public nonisolated init(_ text: String) {}
    public var body: Never { fatalError() }
}

extension View {
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View
    where P.Failure == Never { self }
    public func task(_ action: @escaping @Sendable () async -> Void) -> some View { self }
}

@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@MainActor @preconcurrency public protocol App {}
@MainActor @preconcurrency public protocol Scene {}
public protocol Gesture {}
public protocol Transferable {}
public struct Binding<Value> {}
public struct Environment<Value> {}
public struct EnvironmentValues {}
public struct Transaction {}
public struct Animation {}
public struct Namespace {}
public struct Image {}
public struct Color {}
public struct Font {}
public struct Group<Content> {}
public struct List<Content> {}
public struct Label<Title, Icon> {}
public struct Button<Label> {}
public struct Table<Value> {}
