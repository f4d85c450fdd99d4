#if Configuration
    package import Configuration

    package struct ConfigurationReading {
        private let reader: ConfigReader

        package init(_ reader: ConfigReader) { self.reader = reader }

        package func string(_ key: ConfigKey, isSecret: Bool = false) throws(RelayFault) -> String? {
            try value(key, isSecret, "a string") { try reader.requiredString(forKey: key, isSecret: isSecret) }
        }

        package func strings(_ key: ConfigKey) throws(RelayFault) -> [String]? {
            try value(key, false, "a list of strings") { try reader.requiredStringArray(forKey: key) }
        }

        package func bool(_ key: ConfigKey) throws(RelayFault) -> Bool? {
            try value(key, false, "true or false") { try reader.requiredBool(forKey: key) }
        }

        package func count(_ key: ConfigKey, atLeast least: Int) throws(RelayFault) -> Int? {
            let expected = "a whole number that is at least \(least)"
            guard let count = try value(key, false, expected, { try reader.requiredInt(forKey: key) }) else {
                return nil
            }
            if count < least { throw fault(key, expected) }
            return count
        }

        package func seconds(_ key: ConfigKey) throws(RelayFault) -> Duration? {
            let number = try value(key, false, "a number of seconds") { try reader.requiredDouble(forKey: key) }
            return try number.map { number throws(RelayFault) in try duration(key, number) }
        }

        package func listOfSeconds(_ key: ConfigKey) throws(RelayFault) -> [Duration]? {
            let numbers = try value(key, false, "a list of numbers of seconds") {
                try reader.requiredDoubleArray(forKey: key)
            }
            return try numbers?.map { number throws(RelayFault) in try duration(key, number) }
        }

        package func choice<Value: RawRepresentable<String> & CaseIterable>(
            _ key: ConfigKey, of type: Value.Type
        ) throws(RelayFault) -> Value? {
            guard let text = try string(key) else { return nil }
            if let value = Value(rawValue: text) { return value }
            throw fault(key, Value.allCases.map(\.rawValue).joined(separator: " or "))
        }

        package func part(_ key: ConfigKey) -> ConfigurationReading { ConfigurationReading(reader.scoped(to: key)) }

        private func value<Value>(
            _ key: ConfigKey, _ isSecret: Bool, _ expected: String, _ read: () throws -> Value
        ) throws(RelayFault) -> Value? {
            do { return try read() } catch {
                if isSet(key, isSecret) { throw fault(key, expected) }
                if ObjectIdentifier(type(of: error)) == Self.missingError { return nil }
                throw RelayFault(.invalidConfiguration, "'\(key)' cannot be read from \(reader): \(type(of: error))")
            }
        }

        /// The type of the error that a reader throws for a missing value. An error of a provider has another type, and
        /// doesn't mean that the value is missing.
        private static let missingError: ObjectIdentifier? = {
            do {
                _ = try ConfigReader(provider: InMemoryProvider(values: [:])).requiredString(forKey: "missing")
                return nil
            } catch { return ObjectIdentifier(type(of: error)) }
        }()

        private func isSet(_ key: ConfigKey, _ isSecret: Bool) -> Bool {
            reader.string(forKey: key, isSecret: isSecret) != nil || reader.int(forKey: key, isSecret: isSecret) != nil
                || reader.double(forKey: key, isSecret: isSecret) != nil
                || reader.bool(forKey: key, isSecret: isSecret) != nil
                || reader.stringArray(forKey: key, isSecret: isSecret) != nil
                || reader.intArray(forKey: key, isSecret: isSecret) != nil
                || reader.doubleArray(forKey: key, isSecret: isSecret) != nil
                || reader.bytes(forKey: key, isSecret: isSecret) != nil
                || reader.boolArray(forKey: key, isSecret: isSecret) != nil
                || reader.byteChunkArray(forKey: key, isSecret: isSecret) != nil
        }

        /// The limit of one year prevents an overflow of `Duration`.
        private func duration(_ key: ConfigKey, _ number: Double) throws(RelayFault) -> Duration {
            guard (0...31_536_000).contains(number) else { throw fault(key, "a number of seconds from 0 to one year") }
            return .seconds(number)
        }

        /// The fault doesn't contain the value, because the value may be secret.
        package func fault(_ key: ConfigKey, _ expected: String) -> RelayFault {
            RelayFault(.invalidConfiguration, "'\(key)' in \(reader) is not \(expected)")
        }

        package func missing(_ key: ConfigKey, _ expected: String) -> RelayFault {
            RelayFault(.invalidConfiguration, "'\(key)' is not set in \(reader): \(expected)")
        }
    }
#endif
