public import Tidings

/// Checks that a center keeps its promises.
///
/// In a test of a center of your own, with whatever test framework, one line is enough:
///
/// ```swift
/// try await CenterConformance { MyCenter() }.check()
/// ```
///
/// What a center cannot do is listed, with the reason. It is run all the same, and has to fail, so that the list stays true:
///
/// ```swift
/// try await CenterConformance(except: [
///     "observers run in the order in which they were registered, those of one sender among those of every sender":
///         "the broker does not keep order"
/// ]) { MyCenter() }.check()
/// ```
public struct CenterConformance: Sendable {
    private let exceptions: [ConformanceCheck: String]
    private let patience: Duration
    private let asynchronously: any AsynchronousObserving
    private let make: @Sendable () -> any TypedNotificationCenter

    /// Prepares the checks of a center.
    ///
    /// - Parameters:
    ///   - exceptions: What the center cannot do, each with the reason: the ``ConformanceCheck/description`` of a check, as a failure says
    ///     it, which has to be that of one in ``ConformanceCheck/all``.
    ///   - patience: After how long a check that waits for the center gives up, and counts as failed.
    ///   - make: Makes a new center without observers. Nothing else may hold it.
    public init(
        except exceptions: [String: String] = [:], patience: Duration = .seconds(60),
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        let known = Dictionary(uniqueKeysWithValues: ConformanceCheck.all.map { ($0.description, $0) })
        let checks = exceptions.map { description, reason in
            guard let check = known[description] else {
                preconditionFailure(
                    "no check is called \"\(description)\"; ConformanceCheck.all has their descriptions")
            }
            return (check, reason)
        }
        self.init(except: Dictionary(uniqueKeysWithValues: checks), patience: patience, make: make)
    }

    /// Prepares the checks of a center, with what it cannot do by its name in this package.
    package init(
        except exceptions: [ConformanceCheck: String], patience: Duration = .seconds(60),
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        self.init(except: exceptions, patience: patience, asynchronously: PackageObserving(), make: make)
    }

    /// Prepares the checks of a center with other ways to observe asynchronously, to test the checks.
    package init(
        except exceptions: [ConformanceCheck: String] = [:], patience: Duration = .seconds(60),
        asynchronously: any AsynchronousObserving, make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        self.exceptions = exceptions
        self.patience = patience
        self.asynchronously = asynchronously
        self.make = make
    }

    /// Runs the checks of every promise.
    ///
    /// - Throws: A ``ConformanceFailure`` with everything that is violated, and with the exceptions that are not.
    public func check() async throws(ConformanceFailure) {
        try await run(ConformanceCheck.all)
    }

    /// Runs the checks of one promise.
    ///
    /// - Parameter promise: The promise.
    /// - Throws: A ``ConformanceFailure`` with everything that is violated, and with the exceptions that are not.
    public func check(_ promise: ConformancePromise) async throws(ConformanceFailure) {
        try await run(ConformanceCheck.all.filter { $0.promise == promise })
    }

    /// Runs one check, whether or not it is among the exceptions.
    ///
    /// - Parameter check: The check.
    /// - Returns: What was found wrong.
    public func violations(of check: ConformanceCheck) async -> [String] {
        let trial = Trial(patience: patience, asynchronously: asynchronously, make: make)
        await check.run(trial)
        trial.finish()
        return trial.violations
    }

    private func run(_ checks: [ConformanceCheck]) async throws(ConformanceFailure) {
        var failures: [ConformanceFailure.Violation] = []
        for check in checks {
            var violations = await violations(of: check)
            if let reason = exceptions[check] {
                violations =
                    violations.isEmpty
                    ? ["listed as what the center cannot do (\(reason)), but the center does it"] : []
            }
            failures += violations.map { ConformanceFailure.Violation(check: check, description: $0) }
        }
        if !failures.isEmpty { throw ConformanceFailure(violations: failures) }
    }
}

extension ConformanceCheck {
    /// Every check, in the order of the promises.
    public static let all: [ConformanceCheck] = [
        identityChecks, orderChecks, asynchronousOrderChecks, membershipChecks, reentrancyChecks, cancelChecks,
        asynchronousCancelChecks, lifetimeChecks, asynchronousLifetimeChecks, senderChecks, nothingLostChecks,
        isolationChecks, independenceChecks, awaitingChecks,
        finishChecks, choosingChecks, replayChecks,
    ].flatMap(\.self)
}

/// Says which promises a center did not keep, and what was found wrong.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// Something that a check found wrong.
    public struct Violation: Sendable {
        /// The check.
        public let check: ConformanceCheck
        /// What was found.
        public let description: String
    }

    /// Everything that was found wrong, in the order of the checks.
    public let violations: [Violation]

    /// The violations, one a line.
    public var description: String {
        violations.map { "\($0.check.promise): \($0.check): \($0.description)" }.joined(separator: "\n")
    }
}
