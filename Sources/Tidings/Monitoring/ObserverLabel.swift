import TidingsEngine

extension ObserverDescription {
    /// A name for the observer that stays the same when the source is edited, for dashboards and metrics: the name by which a table knows
    /// it, if it is a durable one, or else the name of its group, or else the type of its owner, or else the file that registered it,
    /// without the line.
    ///
    /// An observer that is registered before it is added to a group has the group's name from then on. Owners are known where a monitor
    /// was attached when the observer was registered, or has been since.
    @export(implementation) public var label: String {
        GivenName.name(of: id.number) ?? group ?? OwnerTypes.name(at: place) ?? "\(place.fileID)"
    }
}

/// The types of owners, by the lines that register their observers.
///
/// An observer's description is made for every event that monitors are told of, so the type is not in it. There are as many lines as the
/// program has.
@usableFromInline
enum OwnerTypes {
    private static let types = Lock<[SourcePlace: any Any.Type]>([:])

    /// The name of the type to whose objects a line ties observers; `nil` if it ties them to none.
    @usableFromInline
    static func name(at place: SourcePlace) -> String? {
        types.withLock { $0[place] }.map { QualifiedTypeName($0).withoutAddresses }
    }

    /// Notes the owner of an observer that a line registers. If a line has owners of several types, the first one counts.
    static func note(_ owner: ObserverOwner, at place: SourcePlace) {
        if types.withLock({ $0[place] != nil }) { return }
        guard let object = owner.object else { return }
        types.withLock { if $0[place] == nil { $0[place] = type(of: object) } }
    }
}

extension NotificationSubject {
    /// The name, as it is the same whenever the program runs.
    @export(implementation) package var label: String { type.map { QualifiedTypeName($0).withoutAddresses } ?? name }
}

extension QualifiedTypeName {
    /// The module and the path. The runtime tells private types of one name apart by addresses, which are others in each run: without them.
    @export(implementation) var withoutAddresses: String {
        full.split(separator: ".").filter { !$0.hasPrefix("(unknown context at ") }.joined(separator: ".")
    }
}
