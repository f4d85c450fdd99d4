import TidingsEngine

extension ObserverDescription {
    /// A name for dashboards and metrics, which stays the same when the source is edited. It is the name of a durable
    /// observer in its table. For other observers, it is the type of the owner or, without a known owner, the file that
    /// registered the observer. The owner is known only if a monitor was attached during the lifetime of the observer.
    /// See also ``group``.
    @export(implementation) public var label: String {
        ObserverNames.given.name(of: id.number) ?? OwnerTypes.name(at: place) ?? "\(place.fileID)"
    }
}

/// The types of owners, by the line that registered the observer. ``ObserverDescription`` doesn't contain the type of
/// the owner, because a description is created for every event. The number of entries is bounded by the number of these
/// lines.
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
