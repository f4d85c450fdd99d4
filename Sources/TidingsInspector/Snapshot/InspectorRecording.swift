/// The form of a file that keeps what was followed: lines of JSON, the first one a header, each other one a ``InspectorSnapshot``.
///
/// A snapshot of a recording may leave out the posts that an earlier line has in the same state. Who reads one takes the posts of
/// all lines together by their identities; of two with the same identity the later one counts.
public enum InspectorRecording {
    /// The first line of a recording.
    public struct Header: Codable, Hashable, Sendable {
        /// Always `tidings`, by which a file is recognised.
        public var recording = "tidings"

        /// The number of the form of the lines that follow: ``InspectorSnapshot/currentVersion``.
        public var version = InspectorSnapshot.currentVersion

        /// The program that was inspected.
        public var program: InspectorSnapshot.Program

        /// When the recording was saved, in seconds since the beginning of 1970.
        public var saved: Double

        /// Makes a header.
        ///
        /// - Parameters:
        ///   - program: The program that was inspected.
        ///   - saved: When the recording was saved.
        public init(program: InspectorSnapshot.Program, saved: Double) {
            self.program = program
            self.saved = saved
        }
    }
}
