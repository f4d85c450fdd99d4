import Tidings

/// A program in which a center differs from the model, shrunk to a smaller program with the same violation.
struct ModelFailure: CustomStringConvertible {
    let seed: UInt64
    let program: Program
    private let difference: ModelRun.Difference?

    init(seed: UInt64, _ program: Program, violation: String, run: (Program) async -> ModelRun) async {
        self.seed = seed
        self.program = await shrunk(program) { await run($0).difference?.violation == violation }
        difference = await run(self.program).difference
    }

    var description: String {
        """
        The center and the model differ in this program:
        \(program.text)
        \(difference?.description ?? "The last run of the program found no difference.")
        To run the program it was shrunk from: TIDINGS_MODEL_SEED=\(seed) swift test --filter ModelTests
        """
    }
}
