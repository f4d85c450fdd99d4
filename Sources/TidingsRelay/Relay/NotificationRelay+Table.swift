import Tidings
import TidingsWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What a table has is sent from there, and from nowhere else: the relay's observation of the center passes over what the table's outbox
// posts after the commit.

extension NotificationRelay {
    /// Sends rows of a table in their order, and returns when each is stored, or refused, or another program may send them.
    func send(_ rows: [TableRow], in run: TableRun, _ routes: [String: ActiveRoute]) async -> [TableRow.Outcome] {
        let outcomes = TableOutcomes(rows.count)
        let place = StoredRoute(tableOf: run.stream)
        for (index, row) in rows.enumerated() {
            guard let route = routes[row.name], !run.isReleased else {
                outcomes.set(index, .interrupted)
                continue
            }
            let message: RelayMessage
            do throws(RelayFault) { message = try route.route.message(self, row) } catch {
                report(error)
                outcomes.set(index, TableRow.Outcome(error))
                continue
            }
            let settle: Outbox.Settle = { [weak self] result in
                if case .failure(let fault) = result, fault.kind != .stopped { self?.report(fault) }
                outcomes.set(index, TableRow.Outcome(result))
            }
            let size = message.subject.utf8.count + message.size
            // When the relay has ended, the outbox takes everything, and refuses it.
            repeat {
                await withCheckedContinuation { continuation in outbox.update { $0.waitForRoom(size, continuation) } }
                if run.isReleased {
                    outcomes.set(index, .interrupted)
                    break
                }
            } while !append(message, to: place, settle)
        }
        // It may have been released while the last one was added, which then would wait for a connection.
        if run.isReleased { outbox.update { $0.withdraw(tableOf: run.stream) } }
        return await outcomes.all()
    }

    /// The message of a row.
    func message<N: RemoteNotification>(of row: TableRow, as type: N.Type) throws(RelayFault) -> RelayMessage {
        guard let id = Identity(row.id) else { throw RelayFault(.invalidName, id: row.id, "it cannot be an identity") }
        let form = try form(of: N.self)
        let time = timestamps.timestamp(of: Date(timeIntervalSince1970: Double(row.storedAt) / 1000))
        // Also where its subject is known without: what cannot be read here, others need not try.
        let notification = try decode(type, row)
        let subject = try subject(of: notification, form)
        var data = row.body
        if row.version != N.wireVersion {
            do { data = try notification.encoded() } catch {
                throw RelayFault(.unencodable, subject: subject, id: row.id, "\(error)")
            }
        }
        var message = try message(form, subject, id, data, time)
        message.headers.append(.init("Nats-Msg-Id", id.text))
        return message
    }

    private func decode<N: RemoteNotification>(_ type: N.Type, _ row: TableRow) throws(RelayFault) -> N {
        guard N.readableVersions.contains(row.version) else {
            throw RelayFault(.unknownVersion, id: row.id, "version \(row.version) of \(N.wireName) is not read")
        }
        do {
            return try row.version == N.wireVersion ? N.decoded(row.body) : N.decoded(row.body, version: row.version)
        } catch { throw RelayFault(.undecodable, id: row.id, "\(error)") }
    }

    /// Posts what was committed to all observers but the relay's own.
    func postCommitted<N: RemoteNotification>(
        _ notification: N, in center: any TypedNotificationCenter, from place: SourcePlace
    ) {
        if let native, center as? NativeNotificationCenter === native,
            let own = state.withLock({ $0.observed[ObjectIdentifier(N.self)] })
        {
            _ = native.post(notification, except: own.token.observation, from: place)
        } else {
            // Also where the relay only now begins to observe, or where this center passes on what is posted to that of the relay.
            _ = Arrival.post(notification, at: self, in: center, from: place)
        }
    }
}

extension TableRow.Outcome {
    /// What becomes of a row by what became of its message.
    fileprivate init(_ result: Result<UInt64, RelayFault>) {
        switch result {
        case .success: self = .sent
        case .failure(let fault): self.init(fault)
        }
    }

    fileprivate init(_ fault: RelayFault) {
        let words = "\(fault.kind.rawValue): \(fault.detail)"
        self =
            switch fault.kind {
            case .stopped: .interrupted
            case .undecodable: .undecodable(fault.detail)
            case .unknownVersion: .unknownVersion(fault.detail)
            // Somebody may allow it.
            case .permissionDenied: .failed(words)
            default: .refused(words)
            }
    }
}

/// What becomes of rows that are sent together.
private final class TableOutcomes: Sendable {
    private struct State {
        var outcomes: [TableRow.Outcome]
        var left: Int
    }

    private let state: Lock<State>
    private let settled = Switch()

    init(_ count: Int) {
        state = Lock(State(outcomes: Array(repeating: .interrupted, count: count), left: count))
        if count == 0 { settled.turnOn() }
    }

    func set(_ index: Int, _ outcome: TableRow.Outcome) {
        let isLast = state.withLock { state in
            state.outcomes[index] = outcome
            state.left -= 1
            return state.left == 0
        }
        if isLast { settled.turnOn() }
    }

    func all() async -> [TableRow.Outcome] {
        await settled.wait()
        return state.withLock { $0.outcomes }
    }
}
