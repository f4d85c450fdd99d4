package import TidingsRelay

extension LinkEvent {
    /// What a server means by its words of refusal. It writes, for instance, `Permissions Violation for Publish to "subject"`.
    package init(refusal: String) {
        guard refusal.lowercased().contains("permissions violation") else {
            self = .problem(refusal)
            return
        }
        let parts = refusal.split(separator: "\"", omittingEmptySubsequences: false)
        self = .permissionDenied(subject: parts.count > 2 ? String(parts[1]) : nil, detail: refusal)
    }
}
