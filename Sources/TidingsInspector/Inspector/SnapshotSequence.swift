import Tidings

extension Inspector {
    /// Returns a sequence of snapshots at regular intervals, until the inspector is stopped or the task is cancelled.
    ///
    /// ```swift
    /// for await snapshot in inspector.snapshots(every: .seconds(1)) { draw(snapshot.observers) }
    /// ```
    ///
    /// The next snapshot is taken only after the previous one was read. If the loop's body takes longer than the
    /// interval, snapshots are skipped, and ``InspectorSnapshot/lost`` counts them. Each iterator is a separate viewer.
    ///
    /// - Parameters:
    ///   - interval: The time between snapshots, at least a tenth of a second. The first snapshot is taken immediately.
    ///   - selection: The observers to include.
    /// - Returns: The sequence. It is empty if ``Options/mostViewers`` sequences are already being read.
    public func snapshots(every interval: Duration, _ selection: Selection = Selection()) -> Snapshots {
        Snapshots(inspector: self, interval: max(0.1, interval.inSeconds), selection: selection, place: nil)
    }

    /// A sequence of snapshots.
    public struct Snapshots: AsyncSequence, Sendable {
        let inspector: Inspector
        let interval: Double
        let selection: Selection
        /// A place reserved in advance, one of ``Inspector/Options/mostViewers``. If `nil`, each iterator reserves one.
        let place: ViewerPlace?

        /// Creates an iterator, which is a new viewer of the inspector.
        public func makeAsyncIterator() -> Iterator {
            Iterator(place: place ?? ViewerPlace(inspector, every: interval), snapshots: self)
        }

        /// An iterator that takes snapshots at regular intervals.
        public struct Iterator: AsyncIteratorProtocol {
            let place: ViewerPlace?
            let snapshots: Snapshots
            fileprivate var due: Double?

            /// Returns the next snapshot, or `nil` if the inspector was stopped or the task is cancelled. A new viewer
            /// can replace an iterator that isn't read for half a minute, or for three intervals if they are longer.
            /// This method then returns `nil`, too.
            public mutating func next() async -> InspectorSnapshot? {
                guard let place else { return nil }
                let (inspector, interval) = (snapshots.inspector, snapshots.interval)
                var missed = 0
                if let due {
                    let late = inspector.stopwatch.seconds - due
                    if late < 0 {
                        do { try await inspector.clock.sleep(for: .seconds(-late)) } catch { return nil }
                    } else {
                        missed = Int(late / interval)
                    }
                }
                if Task.isCancelled { return nil }
                let now = inspector.stopwatch.seconds
                due = Swift.max(now, (due ?? now) + Double(missed) * interval) + interval
                return place.snapshot(snapshots.selection, missed: missed, at: now)
            }
        }
    }
}

/// Occupies one of the ``Inspector/Options/mostViewers`` places until it is released.
final class ViewerPlace: Sendable {
    private let inspector: Inspector
    private let viewer: Lock<Viewer>

    init?(_ inspector: Inspector, every interval: Double) {
        let now = inspector.stopwatch.seconds
        let most = inspector.options.mostViewers
        guard let viewer = inspector.state.withLock({ $0.addViewer(every: interval, limit: most, at: now) }) else {
            return nil
        }
        self.inspector = inspector
        self.viewer = Lock(viewer)
    }

    deinit {
        let id = viewer.withLock { $0.id }
        inspector.state.withLock { $0.removeViewer(id) }
    }

    func snapshot(_ selection: Inspector.Selection, missed: Int, at time: Double) -> InspectorSnapshot? {
        let current = viewer.withLock { viewer in
            viewer.lost += missed
            return viewer
        }
        let known = inspector.state.withLock { $0.read(current, at: time) }
        return known.map { inspector.snapshot(selection, for: $0) }
    }
}
