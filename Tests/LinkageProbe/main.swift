import Tidings
print("x")
