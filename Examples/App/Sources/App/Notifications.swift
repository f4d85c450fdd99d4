import Tidings

/// A part of the app requests that an article be saved.
struct SaveRequested: TypedNotification, Equatable {
    let title: String
}

/// The library has saved an article.
struct ArticleSaved: TypedNotification, Equatable {
    let title: String
    let number: Int
}
