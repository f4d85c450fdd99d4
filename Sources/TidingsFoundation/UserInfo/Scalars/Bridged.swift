import Foundation

// Foundation bridges these to and from an object of its own.

extension String: UserInfoScalar {}
extension Data: UserInfoScalar {}
extension Date: UserInfoScalar {}
extension URL: UserInfoScalar {}
extension UUID: UserInfoScalar {}
