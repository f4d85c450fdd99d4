import Foundation

// The structures that Foundation stores in an `NSValue`. Property lists contain them as arrays of numbers.

#if canImport(ObjectiveC)
    // With Objective-C, casts convert between a structure and an `NSValue`, so no conversion is implemented here.

    protocol UserInfoStructure: UserInfoScalar {}

    extension CGRect: UserInfoStructure {}
    extension CGPoint: UserInfoStructure {}
    extension CGSize: UserInfoStructure {}
    extension NSRange: UserInfoStructure {}
#else
    protocol UserInfoStructure: UserInfoScalar {
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
        private static let structureClass: NSValue.Type = type(of: NSValue(point: .zero))

        /// The structure in the object, if its type is `S`. `rectValue` and similar properties trap for other types,
        /// and `objCType`, which identifies the type, leaks memory. So the bytes are copied as an `S`, and the copy's
        /// `boxed` object is compared with this object. Objects with structures of different types aren't equal.
        fileprivate func structure<S: UserInfoStructure>(_ type: S.Type) -> S? {
            guard Swift.type(of: self) == Self.structureClass else { return nil }
            // The largest structure in an object of this class has four numbers, and fills half of this buffer. Every
            // bit pattern is a valid value of the structures above, which consist of numbers.
            let copy = unsafe withUnsafeTemporaryAllocation(of: (CGRect, CGRect).self, capacity: 1) { room in
                unsafe room.initialize(repeating: (.zero, .zero))
                let bytes = UnsafeMutableRawBufferPointer(room)
                if let address = bytes.baseAddress { unsafe getValue(address) }
                return unsafe bytes.load(as: S.self)
            }
            if copy.boxed.isEqual(self) { return copy }
            // A structure that contains a NaN isn't equal to its copy, and is read from the object's mirror instead.
            return Mirror(reflecting: self).children.first?.value as? S
        }
    }
#endif

extension UserInfoStructure {
    static var isPropertyListOfParts: Bool { true }
}
