import Tidings

package final class Hanging: MessageConsumer {
    private let begun: Gate, go: Gate

    package init(_ begun: Gate, _ go: Gate) { (self.begun, self.go) = (begun, go) }

    package func consume(_ message: Int) async {
        begun.open()
        await go.wait()
    }
}
