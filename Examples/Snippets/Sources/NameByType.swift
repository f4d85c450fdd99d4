// Names made from types, observations that end on their own, and a center that a test can replace.
import Tidings

// snippet.namespace
extension Namespaced {
    static var namespace: String { "org.example.player" }
}

struct VolumeChanged: TypedNotification {
    let sender: Player
    let volume: Double
}
// snippet.end

// snippet.protocol
final class Player: Sendable {
    private let center: any TypedNotificationCenter

    init(center: any TypedNotificationCenter = NativeNotificationCenter.default) {
        self.center = center
    }

    func set(volume: Double) {
        center.post(VolumeChanged(sender: self, volume: volume))
    }
}
// snippet.end

// snippet.lifetime
final class Display: Sendable {
    init(of player: Player, center: some TypedNotificationCenter) {
        center.addObserver(self, for: VolumeChanged.self, sender: player) { display, note in
            display.show(note.volume)
        }
    }

    func show(_ volume: Double) { print("The volume is \(volume).") }
}
// snippet.end

print(VolumeChanged.name)
// → org.example.player.VolumeChanged

// snippet.use
let center = NativeNotificationCenter()
let player = Player(center: center)

var display: Display? = Display(of: player, center: center)
player.set(volume: 0.5)
// → The volume is 0.5.

display = nil
player.set(volume: 0.7)
print("Nobody is shown the last volume.")
// → Nobody is shown the last volume.
// snippet.end
