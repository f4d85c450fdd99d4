import TidingsEngine

extension ObserverDescription {
    /// A name for dashboards and metrics, which doesn't contain a line number. The label of a durable observer is the
    /// observer's name. The label of any other observer is the type of its owner or, if the owner isn't known, the file
    /// that registered the observer. The owner is known only if a monitor was attached during the lifetime of the
    /// observer. See also ``group``.
    @export(implementation) public var label: String {
        ObserverNames.given.name(of: id.number) ?? OwnerTypes.name(at: place) ?? "\(place.fileID)"
    }
}

/// The types of owners. The key is the line of source that registered the observer, so there is at most one entry for
/// each line that registers observers. ``ObserverDescription`` doesn't contain the type of the owner, because a
/// description is created for every event.
@usableFromInline
enum OwnerTypes {
    private static let types = Lock<[SourcePlace: any Any.Type]>([:])

    @usableFromInline
    static func name(at place: SourcePlace) -> String? {
        types.withLock { $0[place] }.map { QualifiedTypeName($0).full.withoutAddresses }
    }

    static func note(_ owner: ObserverOwner, at place: SourcePlace) {
        if types.withLock({ $0[place] != nil }) { return }
        guard let object = owner.object else { return }
        types.withLock { if $0[place] == nil { $0[place] = type(of: object) } }
    }
}

extension NotificationSubject {
    /// The name without the parts that differ between runs of the program.
    @export(implementation) package var label: String {
        type.map { QualifiedTypeName($0).full.withoutAddresses } ?? name
    }
}
