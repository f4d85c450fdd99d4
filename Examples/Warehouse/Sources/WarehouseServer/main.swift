import Foundation
import Hummingbird
import Warehouse

// WarehouseServer FOLDER PORT [SECONDS]
let arguments = CommandLine.arguments
guard (3...4).contains(arguments.count), let port = Int(arguments[2]),
    let limit = Int(arguments.dropFirst(3).first ?? "20")
else {
    FileHandle.standardError.write(Data("usage: WarehouseServer FOLDER PORT [SECONDS]\n".utf8))
    exit(2)
}
let warehouse = try await Warehouse(
    folder: arguments[1], stock: ["book": 1_000_000_000], finishingWithin: .seconds(limit))
try await warehouse.application(port: port).runService()
