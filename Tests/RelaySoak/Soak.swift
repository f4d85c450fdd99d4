import Foundation

/// Runs programs that relay over a cluster of servers. Meanwhile, the soak causes *troubles*: it kills, stops and
/// upgrades programs, kills servers, and fills streams. Afterwards, it checks the result.
final class Soak {
    struct Options {
        /// The time during which troubles occur, in seconds.
        var length = 60.0
        /// The interval between two troubles, in seconds.
        var interval = 10.0
        /// The time for which a program is stopped, in seconds.
        var stop = 8.0
        /// The time for which a killed server is down or a stream is full, in seconds.
        var outage = 4.0
        /// The time after which the server redelivers an unacknowledged message, in seconds.
        var patience = 3.0
        /// The pause of a program with the role `shop` after each post of a key, in milliseconds.
        var pause = 100

        /// In a soak of five minutes or more, troubles occur once a minute, and a program is stopped for 20 s.
        init(minutes: Double) {
            length = minutes * 60
            if minutes >= 5 { (interval, stop, outage, patience, pause) = (60, 20, 10, 5, 250) }
        }
    }

    private let options: Options
    private let folder: URL
    private let cluster: SoakCluster
    private let administrator: Administrator
    private let ledger: Ledger
    private var programs: [String: SoakProcess] = [:]
    private var lives: [String: Int] = [:]
    private var release = 1
    private var findings: [String] = []

    init(_ options: Options, folder: URL) throws {
        self.options = options
        self.folder = folder
        cluster = try SoakCluster(folder: folder)
        administrator = try Administrator(addresses: cluster.addresses)
        ledger = try Ledger(folder.appending(path: "soak.ledger").path(percentEncoded: false))
    }

    private static let names =
        ["office-1", "office-2"] + (1...4).map { "worker-\($0)" } + ["shop-1", "shop-2"]

    /// The name of a program's present process, as in the names of the ledgers.
    private func life(_ name: String) -> String { "\(name).\(lives[name] ?? 0)" }

    private func start(_ name: String) throws {
        lives[name, default: 0] += 1
        let command =
            [
                CommandLine.arguments[0], "program", name, "\(lives[name] ?? 0)", folder.path(percentEncoded: false),
                "\(options.patience)", "\(options.pause)",
            ] + cluster.addresses
        programs[name] = try SoakProcess(
            name, command, folder: folder, environment: [SoakRelease.variable: "\(release)"])
    }

    private func end(_ name: String) {
        if programs[name]?.end() != true { findings.append("\(name) has not ended cleanly") }
    }

    /// Runs the soak. The method sleeps between troubles, and for the duration of a stop or an outage. Steps that
    /// depend on a state of the servers wait for that state.
    func run() throws -> (SoakRecord, SoakCheck) {
        for name in Self.names { try start(name) }
        for stream in SoakRoutes.streams { administrator.waitUntilCurrent(stream) }
        let deadline = SoakClock.now + options.length
        var next = SoakClock.now + options.interval / 2
        // Every kind occurs before a kind occurs again, so that even a short soak has all of them.
        var kinds: [SoakRecord.Trouble.Kind] = []
        while next < deadline {
            Thread.sleep(forTimeInterval: max(0, next - SoakClock.now))
            if kinds.isEmpty { kinds = SoakRecord.Trouble.Kind.allCases.shuffled() }
            try make(kinds.removeLast())
            for (name, program) in programs where !program.isRunning { findings.append("\(name) has ended too early") }
            next = max(next + options.interval, SoakClock.now + 1)
        }
        Thread.sleep(forTimeInterval: max(0, deadline - SoakClock.now))
        return try count()
    }

    private func make(_ kind: SoakRecord.Trouble.Kind) throws {
        let begun = SoakClock.now
        let subject: String
        switch kind {
        case .kill:
            let name = Self.names.randomElement() ?? ""
            subject = life(name)
            programs[name]?.kill9()
            Thread.sleep(forTimeInterval: 1)
            try start(name)
        case .stop:
            let name = Self.names.randomElement() ?? ""
            subject = life(name)
            programs[name]?.signal(SIGSTOP)
            Thread.sleep(forTimeInterval: options.stop)
            programs[name]?.signal(SIGCONT)
        case .leader:
            let index = administrator.leader(of: SoakRoutes.streams.randomElement() ?? "")
            subject = "s\(index)"
            cluster.servers[index].kill9()
            Thread.sleep(forTimeInterval: options.outage)
            try cluster.restart(index)
            // Until all servers are current, the loss of another server would leave the cluster without a majority.
            for stream in SoakRoutes.streams { administrator.waitUntilCurrent(stream) }
        case .full:
            subject = SoakRoutes.streams.randomElement() ?? ""
            administrator.limit(subject, toMore: 10)
            Thread.sleep(forTimeInterval: options.outage)
            administrator.limit(subject, toMore: nil)
        case .upgrade:
            release += 1
            subject = "\(release)"
            for name in Self.names.shuffled() {
                end(name)
                try start(name)
            }
        }
        ledger.write("trouble", kind.rawValue, subject, "\(begun)")
        say(
            "\(kind.rawValue) \(subject), \((SoakClock.now - begun).formatted(.number.precision(.fractionLength(1)))) s"
        )
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Makes the programs stop posting, waits until no call has ended for 20 seconds, and checks the result. If calls
    /// continue for half an hour, this is an error.
    private func count() throws -> (SoakRecord, SoakCheck) {
        say("counting")
        for name in Self.names { programs[name]?.tell(SoakProgram.quiet) }
        let begun = SoakClock.now
        var (known, since) = (-1, begun)
        while SoakClock.now - since <= 20 {
            if SoakClock.now - begun > 1800 {
                findings.append("calls still end half an hour after the programs stopped posting")
                break
            }
            let ended = try SoakRecord(folder: folder).runs.count { $0.ended != nil }
            if ended != known { (known, since) = (ended, SoakClock.now) }
            Thread.sleep(forTimeInterval: 2)
        }
        for name in Self.names { end(name) }
        for stream in SoakRoutes.streams { administrator.waitUntilCurrent(stream) }
        var record = try SoakRecord(folder: folder)
        record.differing = SoakCopies(of: folder).differing
        record.errors += findings
        var check = SoakCheck(readings: SoakRoutes.readings, ordered: SoakRoutes.ordered, patience: options.patience)
        check.look(at: record)
        return (record, check)
    }
}
