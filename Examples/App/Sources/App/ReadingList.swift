import Tidings

/// The view model of a list of articles, with a field for a new one.
@MainActor
final class ReadingList {
    private(set) var titles: [String] = []
    private(set) var isSaving = false
    private(set) var draft = ""
    let preview: Preview

    private let center: any TypedNotificationCenter
    private let messages: any MessageProducer<AppMessage>
    private let clock: any Clock<Duration>
    private var autosave: Task<Void, any Error>?
    private var tokens: [NotificationToken] = []

    init(center: any TypedNotificationCenter, messages: any MessageProducer<AppMessage>, clock: any Clock<Duration>) {
        self.center = center
        self.messages = messages
        self.clock = clock
        preview = Preview(center: center)
        center.addObserver(on: .main, for: ArticleSaved.self) { [weak self] note in self?.show(note) }
            .store(in: &tokens)
    }

    /// Receives the text that the user types, and saves it after five seconds without further input.
    func edit(_ text: String) {
        draft = text
        messages.dispatch(.editing)
        autosave?.cancel()
        autosave = Task { [weak self, clock] in
            try await clock.sleep(for: .seconds(5))
            self?.save()
        }
    }

    /// Saves the draft.
    func save() {
        guard !draft.isEmpty else { return }
        isSaving = true
        center.post(SaveRequested(title: draft))
        draft = ""
    }

    /// Stops observing.
    func close() {
        autosave?.cancel()
        preview.close()
        tokens = []
    }

    private func show(_ note: ArticleSaved) {
        isSaving = false
        titles.append(note.title)
        messages.dispatch(.saved(count: note.number))
    }
}
