#if NATS
    import CNATS
    import TidingsRelay

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    extension RelayMessage {
        /// Calls a closure with the message as the C client has it, which is freed afterwards.
        ///
        /// - Parameter use: Uses the message during the call.
        /// - Returns: What the closure returns, or why there is no message.
        func withNATSMessage(_ use: (OpaquePointer) -> natsStatus) -> natsStatus {
            var created: OpaquePointer?
            // The C client copies the strings and the bytes.
            let status = unsafe body.withUnsafeBytes { bytes in
                let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return unsafe natsMsg_Create(&created, subject, reply, start, Int32(clamping: bytes.count))
            }
            guard status == NATS_OK, let message = unsafe created else { return status }
            defer { unsafe natsMsg_Destroy(message) }
            for header in headers {
                let status = unsafe natsMsgHeader_Set(message, header.name, header.value)
                if status != NATS_OK { return status }
            }
            return unsafe use(message)
        }

        /// Copies a message of the C client.
        ///
        /// - Parameter message: The message, which stays the caller's.
        init(copying message: OpaquePointer) {
            // All strings belong to the message, and are copied. The length is that of the bytes.
            let subject = unsafe natsMsg_GetSubject(message).map { unsafe String(cString: $0) } ?? ""
            let reply = unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) }
            let count = unsafe Int(natsMsg_GetDataLength(message))
            let body = unsafe natsMsg_GetData(message).map { unsafe Data(bytes: $0, count: count) } ?? Data()
            unsafe self.init(subject, reply: reply, headers: Self.headers(of: message), body: body)
        }

        private static func headers(of message: OpaquePointer) -> [Header] {
            var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            var count: Int32 = 0
            guard unsafe natsMsgHeader_Keys(message, &names, &count) == NATS_OK, let names = unsafe names else {
                return []
            }
            // The array is the caller's to free; the strings in it are the message's, which outlives this.
            defer { unsafe free(names) }
            return (0..<Int(count)).compactMap { index in
                var value: UnsafePointer<CChar>?
                guard let name = unsafe names[index], unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK else {
                    return nil
                }
                return unsafe Header(String(cString: name), value.map { unsafe String(cString: $0) } ?? "")
            }
        }
    }

    extension String {
        /// The C client's words for a status.
        init(_ status: natsStatus) {
            // A string constant of the library.
            self = unsafe natsStatus_GetText(status).map { unsafe String(cString: $0) } ?? "status \(status.rawValue)"
        }
    }
#endif
