import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

#if Configuration
    import Configuration

    @Suite(.timeLimit(.ofServers)) struct RelayConfigurationTests {
        private func fault(_ values: [String: String]) -> RelayFault? {
            let config = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
            do throws(RelayFault) {
                _ = try NotificationRelay(NativeNotificationCenter(), config: config.scoped(to: "relay"), routes: [])
                return nil
            } catch { return error }
        }

        @Test func `a relay created from a configuration connects to its server`() async throws {
            let server = try ServerProcess(["-js", "--user", "me", "--pass", "secret"])
            try await server.start()
            let config = ConfigReader(
                provider: EnvironmentVariablesProvider(environmentVariables: [
                    "RELAY_NAME": "shop", "RELAY_SUBJECT_PREFIX": "here", "RELAY_EVENT_MODE": "binary",
                    "RELAY_RETRY_POLICY": "0.5,2", "RELAY_SERVER_ADDRESSES": "nats://127.0.0.1:1,\(server.address)",
                    "RELAY_SERVER_USER": "me", "RELAY_SERVER_PASSWORD": "secret", "RELAY_CONSUMER_LIFETIME": "60",
                    "RELAY_SEND_BUFFER_POLICY": "dropOldest", "RELAY_SEND_BUFFER_LIMIT": "7",
                ]))
            let center = NativeNotificationCenter()
            let relay = try NotificationRelay(
                center, config: config.scoped(to: "relay"), routes: [.durable(Tick.self, stream: "TICKS")])
            #expect(relay.context.options.name == "shop" && relay.context.options.subjectPrefix == "here")
            #expect(relay.context.options.eventMode == .binary && relay.context.options.sendBufferPolicy == .dropOldest)
            #expect(
                relay.context.options.retryPolicy == [.milliseconds(500), .seconds(2)]
                    && relay.context.options.sendBufferLimit == 7)
            #expect(relay.context.options.consumerLifetime == .seconds(60) && relay.context.options.replicas == 1)
            let running = Task { await relay.run() }
            await relay.waitUntilReady()
            #expect(await center.deliver(Tick(poster: 1, number: 1)).failures.isEmpty)
            await relay.finish()
            await running.value
        }

        @Test func `each option is read from a configuration`() throws {
            let values: [String: String] = [
                "NAME": "shop", "INSTANCE": "i", "IDENTITY_SECRET": "s", "SUBJECT_PREFIX": "sp", "INBOX_PREFIX": "ip",
                "EVENT_MODE": "binary", "SEND_BUFFER_POLICY": "dropOldest", "TRANSIENT_POLICY": "dropOldest",
                "SEND_BUFFER_LIMIT": "1", "SEND_BUFFER_BYTE_LIMIT": "2", "TRANSIENT_BYTE_LIMIT": "3",
                "PUBLISHING_WINDOW": "4", "TRANSIENT_LIMIT": "5", "BACKLOG_LIMIT": "6", "IN_PROGRESS_LIMIT": "7",
                "DUPLICATE_MEMORY": "8", "REPLICAS": "9", "ACKNOWLEDGEMENT_TIME": "10", "DUPLICATE_WINDOW": "11",
                "CONSUMER_LIFETIME": "12", "PERMISSION_TIMEOUT": "13", "FINISHING_TIME": "14", "HAND_OVER_TIME": "15",
                "LAG_INTERVAL": "16", "LAG_LIMITS_AGE": "17", "LAG_LIMITS_WAITING": "18", "RETRY_POLICY": "19,20",
            ]
            let provider = EnvironmentVariablesProvider(environmentVariables: values)
            let options = try RelayOptions(config: ConfigReader(provider: provider))
            #expect(options.name == "shop" && options.instance == "i" && options.identitySecret == "s")
            #expect(options.subjectPrefix == "sp" && options.inboxPrefix == "ip" && options.eventMode == .binary)
            #expect(options.sendBufferPolicy == .dropOldest && options.transientPolicy == .dropOldest)
            let counts = [
                options.sendBufferLimit, options.sendBufferByteLimit, options.transientByteLimit,
                options.publishingWindow, options.transientLimit, options.backlogLimit, options.inProgressLimit,
                options.duplicateMemory, options.replicas,
            ]
            #expect(counts == Array(1...9))
            let times = [
                options.acknowledgementTime, options.duplicateWindow, options.consumerLifetime,
                options.permissionTimeout, options.finishingTime, options.handOverTime, options.lagInterval,
                options.lagLimits.age,
            ]
            #expect(times == (10...17).map { .seconds($0) } && options.lagLimits.waiting == 18)
            #expect(options.retryPolicy == [.seconds(19), .seconds(20)])
        }

        @Test func `the settings for logging in and for encryption are read`() throws {
            func server(_ values: [AbsoluteConfigKey: ConfigValue]) throws -> NATSServer {
                let addresses: [AbsoluteConfigKey: ConfigValue] = [
                    ["addresses"]: ConfigValue(.stringArray(["tls://a.example:4222"]), isSecret: false)
                ]
                let provider = InMemoryProvider(values: addresses.merging(values) { $1 })
                return try NATSServer(config: ConfigReader(provider: provider))
            }
            #expect(try server([:]).login == .anonymous && server([:]).encryption == nil)
            #expect(try server([["token"]: "t"]).login == .token("t"))
            #expect(try server([["credentialsFile"]: "f"]).login == .credentials(file: "f"))
            #expect(try server([["key"]: "U", ["seedFile"]: "f"]).login == .key("U", seedFile: "f"))
            #expect(try server([["tls", "enabled"]: true]).encryption == NATSServer.Encryption())
            #expect(try server([["tls", "serverName"]: "n"]).encryption?.serverName == "n")
            #expect(try server([["pendingLimit"]: 9]).pendingLimit == 9)
        }

        @Test(
            arguments: [
                ([:], "addresses"),
                (["RELAY_SERVER_ADDRESSES": "nats://a"], "name"),
                (["RELAY_SEND_BUFFER_LIMIT": "many"], "sendBufferLimit"),
                (["RELAY_SEND_BUFFER_LIMIT": "0"], "sendBufferLimit"),
                (["RELAY_EVENT_MODE": "tar"], "eventMode"), (["RELAY_FINISHING_TIME": "-1"], "finishingTime"),
                (["RELAY_FINISHING_TIME": "nan"], "finishingTime"), (["RELAY_RETRY_POLICY": "1,x"], "retryPolicy"),
                (["RELAY_SERVER_USER": "me"], "password"), (["RELAY_SERVER_KEY": "U"], "seedFile"),
                (["RELAY_SERVER_TLS_ENABLED": "perhaps"], "enabled"), (["RELAY_SERVER_TLS_KEY": "f"], "certificate"),
                (["RELAY_SERVER_TOKEN": "t", "RELAY_SERVER_CREDENTIALS_FILE": "f"], "user"),
            ] as [([String: String], String)])
        func `a missing or unusable value causes a fault that names its key`(_ values: [String: String], _ key: String)
        {
            var values = values
            if key != "addresses", key != "name" {
                values.merge(["RELAY_NAME": "shop", "RELAY_SERVER_ADDRESSES": "nats://a"]) { value, _ in value }
            }
            let found = fault(values)
            #expect(
                found?.kind == .invalidConfiguration && found?.detail.contains("'\(key)'") == true, "\(found as Any)")
        }

        @Test func `a secret that can't be read causes a fault, and isn't treated as missing`() throws {
            let reader = ConfigReader(providers: [
                InMemoryProvider(values: [["name"]: "shop"]), LockedProvider(locked: "identitySecret"),
            ])
            let found = #expect(throws: RelayFault.self) { _ = try RelayOptions(config: reader) }
            #expect(found?.kind == .invalidConfiguration && found?.detail.contains("'identitySecret'") == true)
            let bytes = InMemoryProvider(values: [
                ["name"]: "shop", ["identitySecret"]: ConfigValue(.bytes([1, 2]), isSecret: true),
            ])
            let other = #expect(throws: RelayFault.self) { _ = try RelayOptions(config: ConfigReader(provider: bytes)) }
            #expect(other?.detail.contains("'identitySecret'") == true)
        }

        /// A provider that throws an error for one key, like a provider that can't reach its server.
        private struct LockedProvider: ConfigProvider {
            struct Unreachable: Error {}
            let locked: AbsoluteConfigKey
            private let empty = InMemoryProvider(values: [:])

            init(locked: AbsoluteConfigKey) { self.locked = locked }

            var providerName: String { "LockedProvider" }

            func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
                if key == locked { throw Unreachable() }
                return try empty.value(forKey: key, type: type)
            }

            func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
                try value(forKey: key, type: type)
            }

            func watchValue<Return: ~Copyable>(
                forKey key: AbsoluteConfigKey, type: ConfigType,
                updatesHandler: (
                    _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
                ) async throws -> Return
            ) async throws -> Return {
                try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
            }

            func snapshot() -> any ConfigSnapshot { empty.snapshot() }

            func watchSnapshot<Return: ~Copyable>(
                updatesHandler: (
                    _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
                ) async throws -> Return
            ) async throws -> Return {
                try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
            }
        }
    }
#endif
