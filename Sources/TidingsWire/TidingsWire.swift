@_exported public import Tidings
