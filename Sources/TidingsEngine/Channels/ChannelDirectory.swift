public import Synchronization

/// The channels of one center, found by notification type.
@usableFromInline
@safe
struct ChannelDirectory: ~Copyable, @unchecked Sendable {  // tables are atomic or locked
    struct State {
        var channels: [Channel] = []
        /// The table in use is the last one; the others are kept for posts that may be reading them.
        var tables = [ChannelTable(capacity: 4)]
    }

    /// The address of the table in use.
    @usableFromInline let table: Atomic<UnsafeRawPointer>
    private let state: Lock<State>

    /// The name that stands for every type, if the center is one that Foundation's uses for its own.
    private let name: String?

    /// The monitors of the center, and whether there are any.
    let monitoring: Monitoring
    @usableFromInline let monitored = Atomic(false)

    init(name: String? = nil, monitoring: Monitoring = Monitoring()) {
        self.name = name
        self.monitoring = monitoring
        let state = State()
        unsafe table = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(state.tables[0]).toOpaque()))
        self.state = Lock(state)
    }

    /// The channel of a type, if anybody ever observed it. It lives as long as the center.
    @inlinable
    func channel<N>(of type: N.Type) -> Unmanaged<TypedChannel<N>>? {
        // Every table lives as long as the center.
        let table = unsafe Unmanaged<ChannelTable>.fromOpaque(table.load(ordering: .acquiring))
        let address = unsafe table._withUnsafeGuaranteedRef {
            $0.channel(UInt(bitPattern: ObjectIdentifier(type)))
        }
        // A channel is entered under its own type.
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }

    /// The channel of a type, made if there is none.
    @usableFromInline
    func makeChannel<N>(of type: N.Type, center: ObjectIdentifier) -> Unmanaged<TypedChannel<N>> {
        unsafe state.withLock { state in
            if let channel = unsafe channel(of: type) { return unsafe channel }
            let channel = TypedChannel<N>(
                center: center, subject: name.map { NotificationSubject(named: $0) } ?? NotificationSubject(N.self),
                monitoring: monitoring)
            state.channels.append(channel)
            var last = state.tables[state.tables.count - 1]
            if last.isFull {
                last = last.grown()
                state.tables.append(last)
                unsafe table.store(Unmanaged.passUnretained(last).toOpaque(), ordering: .releasing)
            }
            last.insert(channel.name, type: UInt(bitPattern: ObjectIdentifier(type)))
            return unsafe Unmanaged.passUnretained(channel)
        }
    }

    /// How the observations of every type stand.
    func observations() -> [ObservationStatus] {
        state.withLock { $0.channels }.flatMap { $0.observations() }
    }

    /// Looks at the monitors, of which one may be new.
    func refreshMonitoring(_ new: AttachedMonitor?) {
        let channels = state.withLock { state in
            monitored.store(monitoring.isActive, ordering: .relaxed)
            return state.channels
        }
        for channel in channels { channel.refreshMonitoring(new) }
    }

    /// Ends every observation, as the center is gone.
    func close() {
        for channel in state.withLock({ $0.channels }) { channel.close() }
    }
}
