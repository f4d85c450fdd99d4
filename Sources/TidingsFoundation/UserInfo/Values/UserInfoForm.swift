/// The form in which the values of a typed notification are written into `userInfo`, for untyped observers. The form
/// determines the types of the values that these observers find. ``UserInfoDecoder`` reads all three forms.
///
/// ```swift
/// struct ArticlesRead: BridgedNotification, Codable {
///     var articleIDs: Set<String>  // untyped observers receive a Set<String>
/// }
///
/// struct SettingsChanged: BridgedNotification, Codable {
///     static let userInfoForm = UserInfoForm.propertyList
///     var keys: Set<String>  // untyped observers receive an array of strings, and so do other processes
/// }
/// ```
@nonexhaustive
public enum UserInfoForm: Hashable, Sendable {
    /// Each property is written unchanged, as in an untyped post: a set stays a set, and a struct keeps its type.
    ///
    /// A `nil` property is omitted. If a property has a property wrapper of your own, the wrapper is written.
    /// ``UserInfoValue`` writes the wrapped value.
    case values

    /// The form that Apple's frameworks use. An enum or a struct with a raw value is written as that value. `CGRect`,
    /// `CGPoint`, `CGSize`, `NSRange` and `Range<Int>` are written as an `NSValue`. A type without a Foundation
    /// counterpart is written as a dictionary with string keys or an array, by its own `encode(to:)`.
    ///
    /// A `nil` property is omitted. A `nil` in an array or a dictionary is written as `NSNull`.
    case objects

    /// The form of property lists, for notifications that leave the process, such as those of a
    /// `DistributedNotificationCenter`: strings, numbers, `Bool`, `Date`, `Data`, and arrays and dictionaries of them.
    ///
    /// A `URL` is written as its absolute string, and a `UUID` as a string. `CGRect`, `CGPoint`, `CGSize`, `NSRange`
    /// and `Range<Int>` are written as arrays of their numbers. Every other type is written by its own `encode(to:)`.
    /// Values that property lists can't contain are errors: a `nil` in an array, an object, a key that isn't a string,
    /// or a number that needs more than 64 bits.
    case propertyList
}
