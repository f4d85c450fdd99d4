import Foundation

extension IncomingPost {
    /// Who posted the notification, in words, for a report; `nil` if that is not known.
    ///
    /// It is asked in the post, below the function that made it.
    var poster: String? {
        if let typed { return typed.place.isKnown ? "\(typed.place)" : nil }
        if let object = notification.object { return describe(object) }
        // Somebody else's call is on the stack when a post comes again on the main actor.
        return isLate ? nil : Self.postingFunction(in: Thread.callStackSymbols)
    }

    /// The function that called Foundation's center, which called the one that asks, as a list of calls has it.
    ///
    /// - Parameter calls: The calls that are under way, the innermost first. On Linux, one in a program is an address, which
    ///   `llvm-symbolizer` makes into a line; elsewhere it has the function's mangled name.
    /// - Returns: The call; `nil` if the list does not tell the center's calls from others, as in a program that is linked with
    ///   Foundation statically.
    static func postingFunction(in calls: [String]) -> String? {
        func isFoundation(_ call: String) -> Bool { image(of: call).contains("Foundation") }
        // The list is asked for in Foundation; then come calls of this module, which may be part of a program's own image.
        let own = calls.drop(while: isFoundation)
        let center = own.drop { !isFoundation($0) }
        return center.drop(while: isFoundation).first.map { shortened($0) }
    }

    /// The file whose code a call runs: `/lib/libFoundation.so(symbol) [address]` on Linux, `3 Foundation address symbol` on Apple's
    /// platforms.
    private static func image(of call: String) -> Substring {
        let words = call.split(separator: " ", maxSplits: 2)
        let file = words.count > 1 && Int(words[0]) != nil ? words[1] : words.first ?? ""
        return file.prefix { $0 != "(" }.split(separator: "/").last ?? ""
    }
}
