/// Which stream of a source a line came from.
enum StreamName: String, Sendable {
    case output
    case errors
}
