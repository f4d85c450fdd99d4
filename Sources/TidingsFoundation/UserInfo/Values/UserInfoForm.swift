/// How the values of a typed notification are written into the `userInfo` of an untyped one, for classic observers.
///
/// It says what `userInfo["key"] as? Value` finds. ``UserInfoDecoder`` reads all three forms.
///
/// ```swift
/// struct ArticlesRead: BridgedNotification, Codable {
///     var articleIDs: Set<String>  // classic observers find a Set<String>
/// }
///
/// struct SettingsChanged: BridgedNotification, Codable {
///     static let userInfoForm = UserInfoForm.propertyList
///     var keys: Set<String>  // classic observers find an array of strings, as other processes do
/// }
/// ```
public enum UserInfoForm: Hashable, Sendable {
    /// Each property as it is, as a poster by hand would have put it there: a set as a set, a struct as that struct, an enum as
    /// that enum.
    ///
    /// A property that is `nil` is left out. A value under a property wrapper of your own is written as the wrapper; ``UserInfoValue``
    /// writes what it wraps.
    case values

    /// As a framework of Apple's puts it there: enums and structs with a raw value as that value, `CGRect`, `CGPoint`, `CGSize`,
    /// `NSRange` and `Range<Int>` as an `NSValue`, and what has no object of Foundation's as a dictionary with string keys or an
    /// array, by its own `encode(to:)`.
    ///
    /// A `nil` is left out of a dictionary, and is `NSNull` in an array.
    case objects

    /// As property lists have it, for what leaves the process, as the notifications of a `DistributedNotificationCenter` do:
    /// strings, numbers, `Bool`, `Date`, `Data`, and arrays and dictionaries of them.
    ///
    /// A `URL` is written as its absolute string, a `UUID` as a string, a structure as an array of its numbers, and everything else
    /// by its own `encode(to:)`. What property lists cannot have is an error: a `nil` in an array, an object, a key that is no
    /// string, or a number that needs more than 64 bits.
    case propertyList
}
