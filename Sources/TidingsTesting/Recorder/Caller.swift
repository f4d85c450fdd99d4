import Tidings

#if os(Linux) && canImport(Runtime)
    import Runtime

    /// Who called into Tidings: the stack, which is read when somebody asks.
    struct Caller: Sendable {
        private static let images = ImageMap.capture()

        /// What was found for each stack. Reading one takes fifty milliseconds in a large program; one thread does it at a
        /// time.
        private static let places = Lock<[[Backtrace.Address]: SourcePlace?]>([:])

        private let backtrace: Backtrace?

        init() {
            // The first frames are those of Tidings; the next one is wanted.
            backtrace = try? Backtrace.capture(algorithm: .fast, limit: 10, top: 0, images: Self.images)
        }

        /// The innermost line that does not belong to Tidings.
        var place: SourcePlace? {
            guard let backtrace else { return nil }
            let stack = backtrace.frames.map(\.originalProgramCounter)
            return Self.places.withLock { places in
                if let place = places[stack] { return place }
                let place = Self.place(in: backtrace)
                places[stack] = place
                return place
            }
        }

        private static func place(in backtrace: Backtrace) -> SourcePlace? {
            let options: Backtrace.SymbolicationOptions = [.showSourceLocations, .useSymbolCache]
            guard let frames = backtrace.symbolicated(with: images, options: options)?.frames else { return nil }
            for case let symbol? in frames.lazy.map(\.symbol) where !symbol.isSwiftThunk {
                let module = module(of: symbol.rawName)
                if module == "Tidings" || module == "TidingsTesting" { continue }
                guard let location = symbol.sourceLocation, location.line > 0 else { continue }
                return SourcePlace(file: file(location.path, module: module), line: location.line)
            }
            return nil
        }

        /// The module in a mangled name, which begins with `$s`, the length of the module's name, and the name.
        private static func module(of symbol: String) -> String? {
            guard symbol.hasPrefix("$s") else { return nil }
            let rest = symbol.dropFirst(2)
            let digits = rest.prefix { $0.isNumber }
            return Int(digits).map { String(rest.dropFirst(digits.count).prefix($0)) }
        }

        /// The file as `Module/File.swift`, or, without a module, with its folder.
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
