import Tidings

/// Shows the most recently saved article.
@MainActor
final class Preview {
    private(set) var title = ""
    private var token: NotificationToken?

    init(center: any TypedNotificationCenter) {
        token = center.addObserver(on: .main, for: ArticleSaved.self) { [weak self] note in
            self?.title = note.title
        }
    }

    func close() { token = nil }
}
