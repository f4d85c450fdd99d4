import Foundation

extension IncomingPost {
    /// A description of the code that posted the notification; `nil` if it isn't known. Must be read during the post.
    var poster: String? {
        if let typed { return typed.place.isKnown ? "\(typed.place)" : nil }
        if let object = notification.object { return describe(object) }
        // The stack of a post that is repeated on the main actor contains an unrelated call.
        return isLate ? nil : Self.postingFunction(in: Thread.callStackSymbols)
    }

    /// The call that made the post, or `nil` if the calls of the center can't be identified, as in a program that links
    /// Foundation statically. On Linux, the text of a call from an executable is an address, which `llvm-symbolizer`
    /// converts to a line. On other systems the text contains the mangled name.
    static func postingFunction(in calls: [String]) -> String? {
        func isFoundation(_ call: String) -> Bool { image(of: call).contains("Foundation") }
        // The list begins with the calls of Foundation that created it. After them come calls of this module, whose
        // code may be in the program's image, then calls of the center, and then the call that posted.
        let own = calls.drop(while: isFoundation)
        let center = own.drop { !isFoundation($0) }
        return center.drop(while: isFoundation).first.map { shortened($0) }
    }

    /// The name of the file with the code of a call. The text of a call is `/lib/libFoundation.so(symbol) [address]` on
    /// Linux, and `3 Foundation address symbol` on Apple's platforms.
    private static func image(of call: String) -> Substring {
        let words = call.split(separator: " ", maxSplits: 2)
        let file = words.count > 1 && Int(words[0]) != nil ? words[1] : words.first ?? ""
        return file.prefix { $0 != "(" }.split(separator: "/").last ?? ""
    }
}
