// Calls in the style of Foundation that are left after a variable has become a typed center.

import Foundation
import Tidings
import TidingsFoundation

// expect: a typed center has no names; .*addObserver\(for: Changed.self\)
func classicBlock(_ center: any TypedNotificationCenter) {
    center.addObserver(forName: Notification.Name("ordered"), object: nil, queue: .main) { note in print(note) }  //!
}

// expect: a typed center has no names; .*addObserver\(for: Changed.self\)
func classicBlockWithAnObject(_ center: NativeNotificationCenter, _ shop: Shop) -> any NSObjectProtocol {
    center.addObserver(forName: .init("ordered"), object: shop, queue: nil) { note in  //!
        take(note.userInfo?["count"] as? Int ?? 0)
    }
}

// expect: a typed center has no names; .*post\(Changed\(
func classicPost(_ center: any TypedNotificationCenter, _ shop: Shop) {
    center.post(name: Notification.Name("ordered"), object: shop)  //!
}

// expect: a typed center has no names; .*post\(Changed\(
func classicPostWithUserInfo(_ center: some TypedNotificationCenter, _ shop: Shop) {
    center.post(name: Notification.Name("ordered"), object: shop, userInfo: ["count": 1])  //!
}
