/// The name of a type, split into its module and the path within it.
struct QualifiedTypeName {
    /// The module that declares the type; for a type declared in an extension, the module of the extension.
    let module: String

    /// What distinguishes the type within its module: `Outer.Inner`, `Changed<Swift.Int>`.
    let path: String

    /// Both: `Module.Outer.Inner`.
    var full: String { "\(module).\(path)" }

    init(_ type: Any.Type) {
        self.init(parsing: _typeName(type, qualified: true))
    }

    /// Reads a name as the runtime spells it: `Module.Path`, or `(extension in Module):OtherModule.Path`.
    init(parsing name: String) {
        let extensionPrefix = "(extension in "
        if name.hasPrefix(extensionPrefix), let close = name.firstIndex(of: ")") {
            module = String(name[name.index(name.startIndex, offsetBy: extensionPrefix.count)..<close])
            path = String(name[name.index(after: close)...].drop { $0 == ":" })
        } else if let dot = name.firstIndex(of: ".") {
            module = String(name[..<dot])
            path = String(name[name.index(after: dot)...])
        } else {
            module = "Swift"
            path = name
        }
    }
}
