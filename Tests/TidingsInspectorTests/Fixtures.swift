import Foundation
import Tidings
import TidingsTesting

@testable import TidingsInspector

struct Ping: TypedNotification, Sendable {
    var number = 0
}

struct Pong: TypedNotification, Sendable {}

struct Described: TypedNotification, Sendable, CustomTidingsDescription {
    var tidingsDescription: String
}

actor Relayer {
    private let center: NativeNotificationCenter
    init(_ center: NativeNotificationCenter) { self.center = center }
    func relay() { center.post(Pong()) }
}

actor Consumer: MessageConsumer {
    private(set) var count = 0
    func consume(_ message: AppMessage) { count += 1 }
}

enum AppMessage: Sendable, CustomTidingsDescription {
    case opened
    var tidingsDescription: String { "opened" }
}

extension Inspector.Options {
    static var test: Self {
        var options = Inspector.Options()
        options.token = "a-token-that-tests-know"
        return options
    }
}

extension Inspector {
    /// Returns the response to a request, which comes from this machine and has the token by default.
    func answer(
        _ target: String, method: String = "GET", _ more: [(name: String, value: String)] = [],
        host: String = "127.0.0.1:80",
        authorization: String? = "Bearer a-token-that-tests-know"
    ) -> Response {
        let headers = [(name: "Host", value: host)] + more
        return respond(
            to: Request(
                method: method, target: target,
                headers: headers + (authorization.map { [(name: "Authorization", value: $0)] } ?? [])))
    }
}

extension Inspector.Response {
    var text: String {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    var snapshot: InspectorSnapshot {
        get throws { try JSONDecoder().decode(InspectorSnapshot.self, from: Data(text.utf8)) }
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
