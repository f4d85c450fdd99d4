import Foundation

extension IncomingPost {
    /// A description of the code that posted the notification; `nil` if it isn't known. Must be read during the post.
    var poster: String? {
        if let typed { return typed.place.isKnown ? "\(typed.place)" : nil }
        if let object = notification.object { return describe(object) }
        // If the post is repeated on the main actor, the stack doesn't contain the code that posted.
        return isLate ? nil : Self.postingFunction(in: Thread.callStackSymbols)
    }

    /// The stack frame that made the post, or `nil` if the center's frames can't be identified, as in a program that
    /// links Foundation statically. On Linux, the text of an executable's frame contains an address, which
    /// `llvm-symbolizer` converts to a line. On other systems, the text contains the mangled name.
    static func postingFunction(in calls: [String]) -> String? {
        func isFoundation(_ call: String) -> Bool { image(of: call).contains("Foundation") }
        // The stack begins with the frames of Foundation that captured it. Then come frames of this module, whose code
        // may be in the program's image, then frames of the center, and then the frame that posted.
        let own = calls.drop(while: isFoundation)
        let center = own.drop { !isFoundation($0) }
        return center.drop(while: isFoundation).first.map { shortened($0) }
    }

    /// The file name of the image that contains a frame's code. The text of a frame is
    /// `/lib/libFoundation.so(symbol) [address]` on Linux, and `3 Foundation address symbol` on Apple's platforms.
    private static func image(of call: String) -> Substring {
        let words = call.split(separator: " ", maxSplits: 2)
        let file = words.count > 1 && Int(words[0]) != nil ? words[1] : words.first ?? ""
        return file.prefix { $0 != "(" }.split(separator: "/").last ?? ""
    }
}
