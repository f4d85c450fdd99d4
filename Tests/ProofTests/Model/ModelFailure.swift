import Tidings

/// A program on which a center and the model differ, made as small as it goes.
struct ModelFailure: CustomStringConvertible {
    let seed: UInt64
    let program: Program
    private let difference: ModelRun.Difference?

    init(seed: UInt64, _ program: Program, make: () -> any TypedNotificationCenter) async {
        self.seed = seed
        self.program = await shrunk(program) { await ModelRun($0, on: make).difference != nil }
        difference = await ModelRun(self.program, on: make).difference
    }

    var description: String {
        """
        The center and the model differ in this program:
        \(program.text)
        \(difference?.description ?? "but not always")
        To run the program it was shrunk from: TIDINGS_MODEL_SEED=\(seed) swift test --filter ModelTests
        """
    }
}
