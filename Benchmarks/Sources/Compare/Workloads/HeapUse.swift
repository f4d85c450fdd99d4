extension Workload {
    /// The memory of an observer, including the allocator's overhead and the value that keeps the observer alive, such
    /// as a token. The values that the handler captures are subtracted, because they belong to the program. For
    /// Tidings, the file and line of the registration are also subtracted, because no other peer records them.
    static let heapPerObserver = Workload(
        name: "heap per observer", parameterName: "observers", unit: .bytesPerObserver, count: 10_000
    ) {
        guard Machine.watchesHeap else { return [] }
        return Peer.installed.map { peer in
            Contender(subject: peer.subject, parameter: 10_000) { count in
                guard let signal = peer.make() else { return Sample(value: .nan) }
                signal.reserve(count)
                let use = Heap.watch { signal.add(handlers: count) }
                let contexts = peer.library == nil ? contexts(count) : 0
                let places = peer.subject == .tidings ? Double(count) * place : 0
                return Sample(value: use.bytes - contexts - places)
            }
        }
    }

    static let heapAllocations = Workload(
        name: "heap allocations", parameterName: "observers", unit: .allocationsPerPost, count: 100
    ) {
        guard Machine.watchesHeap else { return [] }
        return [1, 10, 1000].flatMap { observers in
            let peers = Peer.installed.compactMap { peer -> Contender? in
                guard let signal = peer.make() else { return nil }
                signal.add(handlers: observers)
                return .allocations(peer.subject, signal, observers: observers)
            }
            let watched = [Watch.everything, .posts].map { watch in
                Contender.allocations(watch.subject, watch.signal(observers: observers), observers: observers)
            }
            return peers + watched
        }
    }

    private static func contexts(_ count: Int) -> Double {
        var handlers: [(Ping) -> Void] = []
        handlers.reserveCapacity(count)
        return Heap.watch { for index in 0..<count { handlers.append { $0.sink.add(index) } } }.bytes
    }

    /// The size of a registration's file and line, in bytes.
    private static let place = Double(MemoryLayout<(StaticString, UInt32)>.stride)
}

extension Contender {
    @MainActor
    fileprivate static func allocations(_ subject: Subject, _ signal: any Signal, observers: Int) -> Contender {
        let sink = Sink()
        return Contender(subject: subject, parameter: observers) { count in
            let use = Heap.watch { signal.post(count, to: sink) }
            try Miscount.check(subject, sink.take(), count * Handler.total(observers))
            return Sample(value: use.allocations)
        }
    }
}
