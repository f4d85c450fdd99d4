extension Channel {
    /// Ends the entries of an owner.
    ///
    /// - Parameter isMeant: Whether the tie of an entry is to that owner. It is called with no lock held.
    /// - Returns: The ties of the entries that were ended.
    package final func cancel(whereTie isMeant: (AnyObject) -> Bool) -> [AnyObject] {
        guard everyone.flags.contains(.hasMortals) || hasFinished else { return [] }
        var ended = endedTies().filter(isMeant)
        for mortal in withState({ $0.mortals.all }) where mortal.isLive {
            guard let tie = mortal.ownerTie, isMeant(tie) else { continue }
            cancel(mortal.entry, .cancelled)
            ended.append(tie)
        }
        return ended
    }
}
