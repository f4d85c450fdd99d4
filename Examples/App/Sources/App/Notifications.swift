import Tidings

/// Somebody wants an article to be saved.
struct SaveRequested: TypedNotification, Equatable {
    let title: String
}

/// The library has saved an article.
struct ArticleSaved: TypedNotification, Equatable {
    let title: String
    let number: Int
}
