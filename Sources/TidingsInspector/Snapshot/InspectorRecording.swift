/// The format of a file of snapshots: lines of JSON, first a ``Header``, then one ``InspectorSnapshot`` in each line.
///
/// A snapshot in a recording can omit posts that an earlier line contains in the same state. To find all posts, merge
/// the posts of all lines by their identities. The last post with an identity replaces earlier ones.
public enum InspectorRecording {
    /// The first line of a recording.
    public struct Header: Codable, Hashable, Sendable {
        /// Always `tidings`, which identifies the format.
        public var recording = "tidings"

        /// The version of the format of the other lines: ``InspectorSnapshot/currentVersion``.
        public var version = InspectorSnapshot.currentVersion

        /// The program that was inspected.
        public var program: InspectorSnapshot.Program

        /// The time at which the recording was saved, in seconds since 1970.
        public var saved: Double

        /// Creates a header.
        ///
        /// - Parameters:
        ///   - program: The program that was inspected.
        ///   - saved: The time at which the recording was saved.
        public init(program: InspectorSnapshot.Program, saved: Double) {
            self.program = program
            self.saved = saved
        }
    }
}
