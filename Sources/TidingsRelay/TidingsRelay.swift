@_exported public import TidingsWire
