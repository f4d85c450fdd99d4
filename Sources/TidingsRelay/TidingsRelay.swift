@_exported public import Tidings
@_exported public import TidingsWire
