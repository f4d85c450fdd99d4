import Tidings

#if os(Linux) && canImport(Runtime)
    import Runtime

    /// Who called into Tidings: the stack, which is read when somebody asks.
    struct Caller: Sendable {
        private static let images = ImageMap.capture()
        /// Symbols are read by one thread at a time.
        private static let reading = Lock(())

        private let backtrace: Backtrace?

        init() {
            backtrace = try? Backtrace.capture(algorithm: .fast, limit: 24, top: 0, images: Self.images)
        }

        /// The innermost line that does not belong to Tidings.
        var place: SourcePlace? {
            guard let backtrace else { return nil }
            return Self.reading.withLock { _ in
                let symbols = backtrace.symbolicated(
                    with: Self.images, options: [.showSourceLocations, .useSymbolCache])
                let frames = symbols?.frames.lazy.compactMap(\.symbol).filter { symbol in
                    !symbol.isSwiftThunk && !["Tidings", "TidingsTesting"].contains(Self.module(of: symbol.rawName))
                }
                return frames?.compactMap { symbol in
                    guard let location = symbol.sourceLocation, location.line > 0 else { return nil }
                    return SourcePlace(
                        file: Self.file(location.path, module: Self.module(of: symbol.rawName)), line: location.line)
                }.first
            }
        }

        /// The module in a mangled name, which begins with `$s`, the length of the module's name, and the name.
        private static func module(of symbol: String) -> String? {
            guard symbol.hasPrefix("$s") else { return nil }
            let rest = symbol.dropFirst(2)
            let digits = rest.prefix { $0.isNumber }
            return Int(digits).map { String(rest.dropFirst(digits.count).prefix($0)) }
        }

        private static func file(_ path: String, module: String?) -> String {
            let components = path.split(separator: "/")
            guard let module, let name = components.last else { return components.suffix(2).joined(separator: "/") }
            return "\(module)/\(name)"
        }
    }
#else
    /// Who called into Tidings, which is not known on this platform.
    struct Caller: Sendable {
        var place: SourcePlace? { nil }
    }
#endif
