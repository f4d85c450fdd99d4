import Foundation
import Hummingbird
import Warehouse

// WarehouseServer FOLDER PORT
let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[2]) else {
    FileHandle.standardError.write(Data("usage: WarehouseServer FOLDER PORT\n".utf8))
    exit(2)
}
let warehouse = try Warehouse(folder: arguments[1], stock: ["book": 1_000_000_000])
try await warehouse.application(port: port).runService()
