/// Which way notifications go between a native center and Foundation's, when the two are joined.
public enum JoiningDirection: Hashable, Sendable {
    /// What is posted on the native center is posted on Foundation's too.
    case toFoundation
    /// What is posted on Foundation's center is posted on the native one too.
    case fromFoundation
    /// Both ways. What comes from one center does not go back there.
    case both
}
