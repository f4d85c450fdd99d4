import Tidings

extension Inspector {
    /// The stored notifications of the outboxes, as their stores last reported them. Reading the property starts a new
    /// query, whose result a later read returns.
    public var stored: InspectorSnapshot.Stored {
        InspectorSnapshot.Stored(
            mayChange: options.mayChangeStored,
            outboxes: subjects.compactMap { subject in subject.stored.map { $0.outbox(named: subject.name) } })
    }

    func changeStored(_ query: Query) throws(Query.Failure) -> Response {
        guard options.mayChangeStored else {
            return .text(403, "requests may not change stored notifications unless the program sets mayChangeStored")
        }
        guard let action = query["action"].flatMap(InspectorSnapshot.StoredChange.Action.init) else {
            throw Query.Failure(text: "action must be redrive or drop")
        }
        guard let kind = query["kind"].flatMap(InspectorSnapshot.StoredKind.init) else {
            throw Query.Failure(text: "kind must be deadLetter, waiting or scheduled")
        }
        guard kind != .waiting || action == .drop else {
            throw Query.Failure(text: "a waiting notification can only be dropped")
        }
        let (observer, id) = (query["observer"], query["id"])
        guard id != nil || query["all"] == "true" && kind == .deadLetter, kind == .scheduled || observer != nil else {
            throw Query.Failure(
                text: "a dead letter needs an observer, and an id or all=true; a waiting notification needs an "
                    + "observer and an id; a scheduled notification needs an id")
        }
        let name = query["outbox"]
        let outbox = subjects.first { $0.stored != nil && (name == nil || $0.name == name) }
        guard let stored = outbox?.stored else { return .text(404, "there is no outbox of that name") }
        let change = InspectorSnapshot.StoredChange(action: action, kind: kind, observer: observer, id: id)
        stored.perform(change)
        return .encoding(change)
    }
}
