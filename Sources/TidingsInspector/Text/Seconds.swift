extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

extension Double {
    var roundedDuration: String {
        self < 0.001
            ? "\((self * 1e7).rounded() / 10) µs" : self < 1 ? "\(Int((self * 1000).rounded())) ms" : roundedSeconds
    }

    var roundedSeconds: String {
        if self < 10 { return "\((self * 10).rounded() / 10) s" }
        if self < 120 { return "\(Int(self.rounded())) s" }
        if self < 7200 { return "\(Int(self / 60)) min" }
        return self < 172_800 ? "\(Int(self / 3600)) h" : "\(Int(self / 86_400)) d"
    }

    var roundedCount: String {
        if self >= 1e6 { return "\((self / 1e5).rounded() / 10) million" }
        return self >= 10 ? "\(Int(self.rounded()))" : "\((self * 10).rounded() / 10)"
    }
}
