import Foundation
import Tidings
import TidingsInspector

/// Fuzzes the head of a request to the inspector's server. Each request has to get a response. If the request lacks the
/// access token, the response has to be an error.
enum InspectorRequests: FuzzTarget {
    static let name = "inspectorRequests"

    private struct Ping: TypedNotification {}

    private static let center = NativeNotificationCenter()
    private static let token = center.addObserver(for: Ping.self) { _ in }
    private static let inspector = Inspector(of: center)

    static func feed(_ input: inout Input) {
        _ = token
        // Half of the inputs have the token, so that the routes that require it are reached, too.
        let hasToken = input.flag()
        var bytes: [UInt8] = []
        while !input.isEmpty { bytes.append(input.byte()) }
        guard var request = Inspector.Request(head: bytes) else { return }
        if hasToken { request.headers.append(("Authorization", "Bearer \(inspector.token)")) }
        let response = inspector.respond(to: request)
        demand(
            [200, 303, 400, 401, 403, 404, 405, 503].contains(response.status), "an unknown status: \(response.status)")
        demand(hasToken || response.status >= 400, "accepted without the token: \(request)")
        for (name, value) in response.headers {
            demand(!(name + value).utf8.contains { $0 < 0x20 }, "a header with a control character: \(name): \(value)")
        }
        guard case .bytes(let body) = response.body else { return }
        let text = String(validating: body, as: UTF8.self)
        demand(text != nil, "a body that is not UTF-8")
        if request.target.hasPrefix("/snapshot"), response.status == 200 {
            let snapshot = try? JSONDecoder().decode(InspectorSnapshot.self, from: Data(body))
            demand(snapshot != nil, "a snapshot that cannot be read")
        }
        inspector.measure(.look)
    }
}
