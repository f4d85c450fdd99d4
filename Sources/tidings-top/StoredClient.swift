import Foundation
import TidingsInspector

extension InspectorAddress {
    var stored: URL { root.appending(path: "stored") }

    func changing(_ wish: StoredWish) -> URL {
        var items = [
            URLQueryItem(name: "outbox", value: wish.outbox), URLQueryItem(name: "action", value: wish.action.rawValue),
            URLQueryItem(name: "kind", value: wish.entry.kind.rawValue), URLQueryItem(name: "id", value: wish.entry.id),
        ]
        if let observer = wish.entry.observer { items.append(URLQueryItem(name: "observer", value: observer)) }
        return stored.appending(queryItems: items)
    }
}

extension InspectorClient {
    /// Returns the stored notifications. Throws if the inspector is too old to list them.
    func stored() async throws(Failure) -> InspectorSnapshot.Stored {
        let data = try await answer(to: address.stored, method: "GET")
        guard let stored = try? JSONDecoder().decode(InspectorSnapshot.Stored.self, from: data) else {
            throw Failure("the answer is not a list of stored notifications")
        }
        return stored
    }

    func change(_ wish: StoredWish) async throws(Failure) {
        _ = try await answer(to: address.changing(wish), method: "POST")
    }
}
