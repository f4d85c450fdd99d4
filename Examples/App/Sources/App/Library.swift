import Tidings

/// The service that saves articles.
actor Library {
    private let center: any TypedNotificationCenter
    private var titles: [String] = []

    init(center: any TypedNotificationCenter) {
        self.center = center
        center.addObserver(self, on: .actor, for: SaveRequested.self) { me, note in me.save(note.title) }
    }

    private func save(_ title: String) {
        titles.append(title)
        center.post(ArticleSaved(title: title, number: titles.count))
    }
}
