#if InspectorServer
    import FlyingSocks
    import Foundation

    /// A connection, which serves one request. It is used only on the thread of the listener.
    final class InspectorConnection {
        /// The number of seconds within which the head must arrive.
        private static let patience = 10.0
        /// The number of seconds within which the client must read the next bytes.
        private static let patienceOfWriting = 30.0

        private enum Step {
            case reading([UInt8])
            case writing(Data, from: Int, SnapshotPump?)
            case over
        }

        private let socket: Socket
        private let inspector: Inspector
        private var step = Step.reading([])
        let began: Double
        private var lastProgress: Double

        init(_ socket: Socket, _ inspector: Inspector, at time: Double) {
            self.socket = socket
            self.inspector = inspector
            (began, lastProgress) = (time, time)
        }

        var isOver: Bool { if case .over = step { true } else { false } }

        var isSilent: Bool { if case .reading = step { true } else { false } }

        var isWriting: Bool { if case .writing(let data, let index, _) = step { index < data.endIndex } else { false } }

        var due: Double? {
            switch step {
            case .reading: lastProgress + Self.patience
            case .writing(let data, let index, let pump):
                index < data.endIndex ? lastProgress + Self.patienceOfWriting : pump?.due
            case .over: nil
            }
        }

        func close() {
            step = .over
            try? socket.close()
        }

        /// Sends the last event of a stream, unless earlier bytes are still unsent, and closes the connection.
        func end(at time: Double) {
            if case .writing(_, _, let pump?) = step, !isWriting, let last = pump.next(at: time) {
                step = .writing(Data(last), from: 0, nil)
                write(at: time)
            }
            close()
        }

        func advance(at time: Double) {
            switch step {
            case .reading: if time - began > Self.patience { step = .over }
            case .writing(let data, let index, let pump):
                if index < data.endIndex {
                    if time - lastProgress > Self.patienceOfWriting { step = .over }
                } else if let pump {
                    guard time >= pump.due else { return }
                    guard let next = pump.next(at: time) else {
                        step = .over
                        return
                    }
                    step = .writing(Data(next), from: 0, pump)
                    lastProgress = time
                    write(at: time)
                }
            case .over: break
            }
        }

        func isReady(at time: Double) {
            switch step {
            case .reading(var bytes):
                guard let more = read() else {
                    step = .over
                    return
                }
                let known = bytes.count
                bytes += more
                step = .reading(bytes)
                if let end = Inspector.Request.endOfHead(in: bytes, from: known) {
                    answer(Array(bytes[..<end]), at: time)
                } else if bytes.count > Inspector.Request.longestHead {
                    // The head is too long. The response has the status 400.
                    answer(bytes, at: time)
                }
            case .writing:
                // Further data is read only to detect that the client has closed the connection.
                if read() == nil { step = .over } else { write(at: time) }
            case .over: break
            }
        }

        /// Returns `nil` if the client has closed the connection.
        private func read() -> [UInt8]? {
            do {
                return try socket.read(atMost: 4096)
            } catch SocketError.blocked {
                return []
            } catch {
                return nil
            }
        }

        private func answer(_ head: [UInt8], at time: Double) {
            lastProgress = time
            // An invalid head gets the same response as a request without a path.
            let request = Inspector.Request(head: head) ?? Inspector.Request(method: "", target: "", headers: [])
            let response = inspector.respond(to: request)
            var data = Data(response.head)
            switch response.body {
            case .bytes(let bytes):
                data += bytes
                step = .writing(data, from: 0, nil)
            case .events(let events): step = .writing(data, from: 0, SnapshotPump(events.snapshots, at: time))
            }
            write(at: time)
        }

        private func write(at time: Double) {
            guard case .writing(let data, var index, let pump) = step else { return }
            do {
                while index < data.endIndex {
                    index = try socket.write(data, from: index)
                    lastProgress = time
                }
            } catch SocketError.blocked {
                // The send buffer is full. Writing continues after the client has read from it.
            } catch {
                step = .over
                return
            }
            step = .writing(index < data.endIndex ? data : Data(), from: index < data.endIndex ? index : 0, pump)
            if index >= data.endIndex, pump == nil { step = .over }
        }
    }

    /// Creates the snapshots of a stream without a task, because no task runs while the cooperative pool is blocked.
    final class SnapshotPump {
        private let snapshots: Inspector.Snapshots
        private var events = Inspector.EventParts()
        private(set) var due: Double

        init(_ snapshots: Inspector.Snapshots, at time: Double) {
            self.snapshots = snapshots
            due = time
        }

        func next(at time: Double) -> [UInt8]? {
            let missed = max(0, Int((time - due) / snapshots.interval))
            due = max(time, due + Double(missed) * snapshots.interval) + snapshots.interval
            let now = snapshots.inspector.stopwatch.seconds
            return events.next(snapshots.place?.snapshot(snapshots.selection, missed: missed, at: now))
        }
    }
#endif
