import Foundation

// The structures that Foundation puts into an `NSValue`, and property lists have as arrays of their numbers.

#if canImport(ObjectiveC)
    // A cast takes the structure out of the object, and makes the object when classic code asks for one.

    /// A structure that can lie in an `NSValue`.
    protocol UserInfoStructure: UserInfoScalar {}

    extension CGRect: UserInfoStructure {}
    extension CGPoint: UserInfoStructure {}
    extension CGSize: UserInfoStructure {}
    extension NSRange: UserInfoStructure {}
#else
    /// A structure that can lie in an `NSValue`.
    protocol UserInfoStructure: UserInfoScalar {
        /// An object with the structure in it.
        var boxed: NSValue { get }
    }

    extension UserInfoStructure {
        static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
            if let structure = castExactly(value, to: Self.self) { return structure }
            guard let structure = castObject(value, to: NSValue.self)?.structure(Self.self) else { throw .mistyped }
            return structure
        }

        var untyped: Any { boxed }
    }

    extension CGRect: UserInfoStructure {
        var boxed: NSValue { NSValue(rect: self) }
    }

    extension CGPoint: UserInfoStructure {
        var boxed: NSValue { NSValue(point: self) }
    }

    extension CGSize: UserInfoStructure {
        var boxed: NSValue { NSValue(size: self) }
    }

    extension NSRange: UserInfoStructure {
        var boxed: NSValue { NSValue(range: self) }
    }

    extension NSValue {
        /// The class of the objects that have a structure in them.
        private static let structureClass: NSValue.Type = type(of: NSValue(point: .zero))

        /// The structure in the object, if it is one of this type.
        ///
        /// `rectValue` and the like trap if it is not, and `objCType`, which tells, leaks memory. So the structure is copied
        /// without being asked for its type, and then compared: an object only equals one with a structure of the same type.
        fileprivate func structure<S: UserInfoStructure>(_ type: S.Type) -> S? {
            guard Swift.type(of: self) == Self.structureClass else { return nil }
            // The largest structure Foundation puts into an object of this class has four numbers, half of the room here. Every
            // pattern of bits is a value of the structures above, which consist of numbers.
            let copy = unsafe withUnsafeTemporaryAllocation(of: (CGRect, CGRect).self, capacity: 1) { room in
                unsafe room.initialize(repeating: (.zero, .zero))
                let bytes = UnsafeMutableRawBufferPointer(room)
                if let address = bytes.baseAddress { unsafe getValue(address) }
                return unsafe bytes.load(as: S.self)
            }
            if copy.boxed.isEqual(self) { return copy }
            // A structure that contains a NaN equals nothing.
            return Mirror(reflecting: self).children.first?.value as? S
        }
    }
#endif

extension UserInfoStructure {
    static var isPropertyListOfParts: Bool { true }
}
