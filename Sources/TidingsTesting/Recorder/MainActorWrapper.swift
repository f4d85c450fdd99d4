import Tidings

/// What a main-actor notification travels in.
protocol MainActorWrapper {
    static var contentType: any NotificationContent.Type { get }
    var content: any NotificationContent { get }
}

extension OnMainActor: MainActorWrapper {
    static var contentType: any NotificationContent.Type { N.self }
    var content: any NotificationContent { notification }
}
