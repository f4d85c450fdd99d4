import Glibc
enum ProcessInfoPatience { static let value: Int = { unsafe getenv("PATIENCE").flatMap { unsafe Int(String(cString: $0)) } ?? 512 }() }
