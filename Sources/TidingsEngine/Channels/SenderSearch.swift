extension TypedChannel {
    func search(for target: SenderTarget<Sender>) -> RosterSearch {
        switch target {
        case .value(let value, let hash, let areEqual):
            guard case .equality = rule else { return search(forValueAtRunTime: value) }
            if !areEqual(value, value) { return searchOfTheUnequal }
            return RosterSearch(Roster.tag(hash), isObject: false) { roster in
                (roster as? ValueRoster<Sender>).map { areEqual($0.value, value) } ?? false
            } make: {
                ValueRoster(value, hash: hash)
            }
        case .key(let value):
            // With the rule `equality`, posts treat each roster as a `ValueRoster<Sender>`, so the key is cast.
            if case .equality(let hash, let areEqual) = rule {
                guard let value = value.base as? Sender else { return searchOfTheUnequal }
                return search(for: .value(value, hash: hash(value), areEqual: areEqual))
            }
            if !value.isSame(as: value) { return searchOfTheUnequal }
            hasValuesAtRunTime.store(true, ordering: .relaxed)
            let hash = value.hashValue
            return RosterSearch(Roster.tag(hash), isObject: false) { roster in
                (roster as? ValueRoster<AnyHashable>)?.value.isSame(as: value) ?? false
            } make: {
                ValueRoster(value, hash: hash)
            }
        case .unmatched(let type):
            hasUnmatched.store(true, ordering: .relaxed)
            return RosterSearch(nil, isObject: false, isSame: { _ in false }) { Roster(.unmatched(type)) }
        }
    }

    /// The search for a value whose target was created for another notification type, which has the rule `equality`. So
    /// the value isn't an object. It is incomparable only if its conformance to `Hashable` is isolated to a global
    /// actor.
    private func search(forValueAtRunTime value: Sender) -> RosterSearch {
        guard case .value(let value) = SenderKey(of: value) else { return search(for: .unmatched(Sender.self)) }
        return search(for: .key(value))
    }

    /// The search for a value that doesn't equal itself, like NaN, and so matches no sender. `checkComparable` mustn't
    /// find the value's type, so the type `Unequal` replaces it.
    private var searchOfTheUnequal: RosterSearch {
        RosterSearch(nil, isObject: false, isSame: { _ in false }) { Roster(.unmatched(Unequal.self)) }
    }

    /// The table of senders, valid until the post leaves its lane.
    @inline(__always)
    private var table: Unmanaged<SenderTable> {
        unsafe Unmanaged<SenderTable>.fromOpaque(senders.load(ordering: .sequentiallyConsistent))
    }

    /// Returns the roster of an object. It is valid until the post leaves its lane.
    @inline(__always)
    func roster(ofObjectAt tag: UInt) -> Unmanaged<Roster>? {
        unsafe table._withUnsafeGuaranteedRef { unsafe $0.first(tag) { $0.isOfObjectAtItsAddress } }
    }

    /// Returns the roster of a sender. It is valid until the post leaves its lane.
    func roster(of sender: Sender) -> Unmanaged<Roster>? {
        switch rule {
        case .none: return nil
        case .identity: return unsafe roster(ofObjectAt: TypedChannel.address(of: sender))
        case .equality(let hash, let areEqual):
            let tag = Roster.tag(hash(sender))
            return unsafe table._withUnsafeGuaranteedRef { table in
                unsafe table.first(tag) { roster in
                    // With this rule, all rosters are a `ValueRoster<Sender>`.
                    areEqual(unsafe unsafeDowncast(roster, to: ValueRoster<Sender>.self).value, sender)
                }
            }
        case .dynamic(let key):
            if let address = objectPlace.address(in: sender) { return unsafe roster(ofObjectAt: address) }
            let key = key(sender)
            if case .object(let object) = key { objectPlace.learn(object, in: sender) }
            return unsafe roster(of: key)
        }
    }

    private func roster(of key: SenderKey) -> Unmanaged<Roster>? {
        switch checked(key) {
        case .none, .unmatched: return nil
        case .object(let object): return unsafe roster(ofObjectAt: UInt(bitPattern: ObjectIdentifier(object)))
        case .value(let value):
            let tag = Roster.tag(value.hashValue)
            return unsafe table._withUnsafeGuaranteedRef { table in
                unsafe table.first(tag) { roster in
                    // With this rule, all rosters of values that aren't objects are a `ValueRoster<AnyHashable>`.
                    unsafe unsafeDowncast(roster, to: ValueRoster<AnyHashable>.self).value.isSame(as: value)
                }
            }
        }
    }

    /// Returns the key of a post's sender, if ``checkComparable(_:isComparable:)`` doesn't stop the program.
    private func checked(_ key: SenderKey) -> SenderKey {
        switch key {
        case .none, .object: break
        case .unmatched(let type):
            if hasValuesAtRunTime.load(ordering: .relaxed) { checkComparable(type, isComparable: false) }
        case .value(let value):
            if hasUnmatched.load(ordering: .relaxed) { checkComparable(type(of: value.base), isComparable: true) }
        }
        return key
    }

    /// Stops the program if a type's conformance to `Hashable` was found at a registration but not at this post, or the
    /// reverse, because the conformance is isolated to a global actor. Otherwise observers would silently miss posts.
    @inline(never)
    private func checkComparable(_ type: Any.Type, isComparable: Bool) {
        let isRefused = withState { state in
            (isComparable ? state.unmatchedTypes : state.valueTypes)[UInt(bitPattern: ObjectIdentifier(type))] != nil
        }
        if isRefused { host.cannotCompare(type) }
    }

    func search(from sender: Sender) -> RosterSearch? {
        switch rule {
        case .none: nil
        case .identity: searchOfObject(at: TypedChannel.address(of: sender))
        case .equality(let hash, let areEqual):
            search(for: .value(sender, hash: hash(sender), areEqual: areEqual))
        case .dynamic(let key):
            switch checked(key(sender)) {
            case .none, .unmatched: nil
            case .object(let object): searchOfObject(at: UInt(bitPattern: ObjectIdentifier(object)))
            case .value(let value): search(for: .key(value))
            }
        }
    }

    func searchOfObject(at tag: UInt) -> RosterSearch {
        // With `isObject: false`, the lock isn't held during the comparison, which may run the sender's `deinit`.
        RosterSearch(tag, isObject: false, isSame: \.isOfObjectAtItsAddress) {
            preconditionFailure("a post must not create a roster")
        }
    }
}

/// A search for the roster of one sender, under the channel's lock. Values are compared by a user's `==`, which isn't
/// called under a lock. So a search that finds rosters with the hash of its value stops, compares each of them once
/// without the lock, and starts again.
struct RosterSearch {
    enum Outcome {
        case found(Roster)
        case absent
        /// ``compare()`` has to be called without the lock, and then ``find(in:)`` again.
        case undecided
    }

    private let tag: UInt?
    private let isObject: Bool
    private let isSame: (Roster) -> Bool

    let make: () -> Roster

    private var same: Roster?
    /// Rosters of other senders, retained so that no new roster gets one of their addresses.
    private var others: [ObjectIdentifier: Roster] = [:]
    private var unknown: [Roster] = []

    /// `isSame` returns whether a roster with the tag is the sender's. If `isObject`, `isSame` runs no user code.
    init(_ tag: UInt?, isObject: Bool, isSame: @escaping (Roster) -> Bool, make: @escaping () -> Roster) {
        self.tag = tag
        self.isObject = isObject
        self.isSame = isSame
        self.make = make
    }

    static func object(_ object: AnyObject) -> RosterSearch {
        RosterSearch(UInt(bitPattern: ObjectIdentifier(object)), isObject: true, isSame: \.isAlive) {
            Roster(.object, object: object)
        }
    }

    var objectTag: UInt? { isObject ? tag : nil }

    mutating func find(in table: SenderTable) -> Outcome {
        guard let tag else { return .absent }
        let found = unsafe table.first(tag) { roster in
            // The caller holds the object, so this doesn't release the last reference to it.
            if isObject { return isSame(roster) }
            if roster === same { return true }
            if others[ObjectIdentifier(roster)] == nil { unknown.append(roster) }
            return false
        }
        if let found = unsafe found { return .found(unsafe found.takeUnretainedValue()) }
        return unknown.isEmpty ? .absent : .undecided
    }

    mutating func compare() {
        for roster in unknown {
            if isSame(roster) { same = roster } else { others[ObjectIdentifier(roster)] = roster }
        }
        unknown = []
    }
}

private enum Unequal {}
