import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

#if Tracing
    import TidingsServer
    import Tracing

    /// An instrument that keeps the fields of W3C Trace Context in the service context, as tracing systems do.
    private struct TraceFields: Instrument {
        enum Key: ServiceContextKey { typealias Value = [String: String] }

        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
        ) where Extract.Carrier == Carrier {
            var fields: [String: String] = [:]
            for name in ["traceparent", "tracestate", "baggage"] {
                fields[name] = extractor.extract(key: name, from: carrier)
            }
            context[Key.self] = fields
        }

        func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
        ) where Inject.Carrier == Carrier {
            for (name, value) in context[Key.self] ?? [:] { injector.inject(value, forKey: name, into: &carrier) }
        }
    }

    private typealias Big = FaultTests.Big

    @Suite(.timeLimit(.ofServers)) struct RelayTraceTests {
        private static let bootstrapped: Void = InstrumentationSystem.bootstrap(TraceFields())

        @Test(arguments: [RelayEventMode.structured, .binary])
        func `a remote observer runs in the poster's service context`(mode: RelayEventMode) async throws {
            Self.bootstrapped
            let server = try ServerProcess()
            try await server.start()
            let routes: [RelayRoute] = [.transient(Tick.self), .durable(Big.self, stream: "BIG")]
            let first = try RelayedProgram("first", server, routes) { $0.eventMode = mode }
            let second = try RelayedProgram("second", server, routes) { $0.eventMode = mode }
            await first.relay.waitUntilReady()
            await second.relay.waitUntilReady()
            let contexts = ReceivedValues<[String: String]?>()
            let tokens = [
                second.center.addObserver(for: Tick.self) { _ in
                    contexts.append(ServiceContext.current?[TraceFields.Key.self])
                },
                second.center.addObserver(on: .task, for: Big.self) { _ in
                    contexts.append(ServiceContext.current?[TraceFields.Key.self])
                    // A notification posted in response belongs to the same trace.
                    second.center.post(Tick(poster: 2, number: 2))
                },
                first.center.addObserver(for: Tick.self) { note in
                    if note.poster == 2 { contexts.append(ServiceContext.current?[TraceFields.Key.self]) }
                },
            ]
            // The monitor passes the context to asynchronous observers.
            let attachment = second.center.attach(TracingMonitor())
            let fields = [
                "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "vendor=1",
            ]
            var context = ServiceContext.topLevel
            context[TraceFields.Key.self] = fields
            ServiceContext.withValue(context) { _ = first.center.post(Tick(poster: 1, number: 1)) }
            await contexts.wait(for: 1)
            await ServiceContext.withValue(context) { _ = await first.center.deliver(Big(text: "")) }
            await contexts.wait(for: 4)
            first.center.post(Tick(poster: 1, number: 2))
            await contexts.wait(for: 5)
            #expect(contexts.values.dropLast().allSatisfy { $0 == fields } && contexts.values.last == .some(nil))
            await first.stop()
            await second.stop()
            withExtendedLifetime((tokens, attachment)) {}
        }
    }
#endif
