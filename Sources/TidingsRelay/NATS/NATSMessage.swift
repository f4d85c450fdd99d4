#if NATS
    import CNATS

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Messages that are freed together. Freeing wakes a thread of the C client, which takes as long as several sends.
    @safe
    struct UsedMessages: ~Copyable {
        private var pointers: [OpaquePointer] = unsafe []

        deinit { unsafe pointers.forEach { unsafe natsMsg_Destroy($0) } }

        /// Takes ownership of a message.
        mutating func append(_ message: OpaquePointer) { unsafe pointers.append(message) }

        mutating func free() {
            unsafe pointers.forEach { unsafe natsMsg_Destroy($0) }
            unsafe pointers.removeAll(keepingCapacity: true)
        }
    }

    extension SendBatch {
        /// Passes a message to the C client. The connection exists during the call. `made` keeps the object that the C
        /// client creates for a message with headers.
        func publish(_ frame: Frame, over connection: OpaquePointer?, keeping made: inout UsedMessages) -> natsStatus {
            unsafe bytes.withUnsafeBytes { bytes in
                // Each string of a frame ends with a zero byte, and exists during the calls. `bytes` isn't empty.
                guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return NATS_ERR }
                let (subject, body) = unsafe (start + frame.subject, start + frame.body)
                let reply = unsafe frame.reply < frame.headers ? start + frame.reply : nil
                let count = Int32(clamping: frame.end - frame.body)
                if frame.headerCount == 0 {
                    guard let reply = unsafe reply else {
                        return unsafe natsConnection_Publish(connection, subject, body, count)
                    }
                    return unsafe natsConnection_PublishRequest(connection, subject, reply, body, count)
                }
                var created: OpaquePointer?
                let status = unsafe natsMsg_Create(&created, subject, reply, body, count)
                guard status == NATS_OK, let message = unsafe created else { return status }
                unsafe made.append(message)
                var text = unsafe start + frame.headers
                for _ in 0..<frame.headerCount {
                    let name = unsafe text
                    unsafe text += strlen(text) + 1
                    let status = unsafe natsMsgHeader_Set(message, name, text)
                    if status != NATS_OK { return status }
                    unsafe text += strlen(text) + 1
                }
                return unsafe natsConnection_PublishMsg(connection, message)
            }
        }

        func message(_ frame: Frame) -> RelayMessage {
            func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end - 1], as: UTF8.self) }
            return RelayMessage(
                text(frame.subject, frame.reply),
                reply: frame.reply < frame.headers ? text(frame.reply, frame.headers) : nil,
                bytes: Array(bytes[frame.body..<frame.end]))
        }
    }

    extension RelayMessage {
        init(copying message: OpaquePointer) {
            // The message owns the strings and the data, which are copied here.
            let subject = unsafe natsMsg_GetSubject(message).map { unsafe String(cString: $0) } ?? ""
            let reply = unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) }
            let count = unsafe Int(natsMsg_GetDataLength(message))
            let bytes = unsafe UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: count)
            unsafe self.init(subject, reply: reply, headers: Self.headers(of: message), bytes: Array(bytes))
        }

        private static func headers(of message: OpaquePointer) -> [Header] {
            var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            var count: Int32 = 0
            guard unsafe natsMsgHeader_Keys(message, &names, &count) == NATS_OK, let names = unsafe names else {
                return []
            }
            // This function owns and frees the array. The message owns the strings, and outlives this call.
            defer { unsafe free(names) }
            return (0..<Int(count)).compactMap { index in
                var value: UnsafePointer<CChar>?
                guard let name = unsafe names[index], unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK else {
                    return nil
                }
                return unsafe Header(String(cString: name), value.map { unsafe Self.text($0) } ?? "")
            }
        }

        /// Returns the value of a header. The most common value needs no allocation.
        private static func text(_ value: UnsafePointer<CChar>) -> String {
            let usual: StaticString = "application/cloudevents+json"
            if unsafe strcmp(value, UnsafeRawPointer(usual.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 {
                return "application/cloudevents+json"
            }
            return unsafe String(cString: value)
        }
    }

    extension String {
        init(_ status: natsStatus) {
            // The text is a constant of the library.
            self = unsafe natsStatus_GetText(status).map { unsafe String(cString: $0) } ?? "status \(status.rawValue)"
        }

        static func lastError(_ status: natsStatus) -> String {
            var told = NATS_OK
            // The thread's next call may overwrite the text, so the text is copied here.
            let text = unsafe nats_GetLastError(&told).map { unsafe String(cString: $0) } ?? ""
            let words = String(status)
            return told != status || text.isEmpty || text == words ? words : "\(words): \(text)"
        }
    }
#endif
