import Tidings

extension Inspector {
    /// Snapshots, at regular times, until the inspector is stopped or the task is cancelled.
    ///
    /// ```swift
    /// for await snapshot in inspector.snapshots(every: .seconds(1)) { draw(snapshot.observers) }
    /// ```
    ///
    /// A snapshot is made when the one before has been taken. An iterator that takes longer than the interval misses
    /// some, which ``InspectorSnapshot/lost`` counts. It is a viewer, so that measuring goes on. Each iterator is one of its own.
    ///
    /// - Parameters:
    ///   - interval: The time from one to the next, at least a tenth of a second. The first one comes at once.
    ///   - selection: Which observers they have.
    /// - Returns: The sequence. It is empty if as many are being read as ``Options/mostViewers`` allows.
    public func snapshots(every interval: Duration, _ selection: Selection = Selection()) -> Snapshots {
        Snapshots(inspector: self, interval: max(0.1, interval.inSeconds), selection: selection, place: nil)
    }

    /// A sequence of snapshots.
    public struct Snapshots: AsyncSequence, Sendable {
        let inspector: Inspector
        let interval: Double
        let selection: Selection

        /// The place that was taken for the first iterator; `nil` if it takes one itself.
        let place: ViewerPlace?

        /// Begins to look.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                place: place ?? ViewerPlace(inspector, every: interval), inspector: inspector, interval: interval,
                selection: selection)
        }

        /// Looks at regular times.
        public struct Iterator: AsyncIteratorProtocol {
            let place: ViewerPlace?
            let inspector: Inspector
            let interval: Double
            let selection: Selection
            private var due: Double?

            init(place: ViewerPlace?, inspector: Inspector, interval: Double, selection: Selection) {
                self.place = place
                self.inspector = inspector
                self.interval = interval
                self.selection = selection
            }

            /// The next snapshot; `nil` if the inspector was stopped, if it gave this viewer up as it had not read for half a
            /// minute, or if the task is cancelled.
            public mutating func next() async -> InspectorSnapshot? {
                guard let place else { return nil }
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
                return place.snapshot(selection, missed: missed, at: now)
            }
        }
    }
}

/// The place of a viewer among those that may read at a time. It is given up when this is released.
final class ViewerPlace: Sendable {
    private let inspector: Inspector
    private let viewer: Lock<Viewer>

    /// Fails if there are enough viewers.
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

    /// A snapshot for the viewer; `nil` if it was given up.
    func snapshot(_ selection: Inspector.Selection, missed: Int, at time: Double) -> InspectorSnapshot? {
        read(missed: missed, at: time).map { inspector.snapshot(selection, for: $0) }
    }

    /// Notes that the viewer reads; `nil` if it was given up.
    private func read(missed: Int, at time: Double) -> Viewer? {
        let current = viewer.withLock { viewer in
            viewer.lost += missed
            return viewer
        }
        return inspector.state.withLock { $0.read(current, at: time) }
    }
}
