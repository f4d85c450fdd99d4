/// Returns the smallest program found that still fails.
func shrunk(_ program: Program, while fails: (Program) async -> Bool) async -> Program {
    var program = program
    var size = max(1, program.count / 2)
    // Removes large pieces first, then single operations, then operations inside observers, until every removal makes
    // the program pass.
    while true {
        var wasShrunk = false
        var start = 0
        while start < program.count {
            var smaller = program
            smaller.removeSubrange(start..<min(start + size, program.count))
            if await fails(smaller) {
                program = smaller
                wasShrunk = true
            } else {
                start += size
            }
        }
        if size > 1 {
            size /= 2
            continue
        }
        for index in program.indices {
            for simpler in program[index].simpler {
                var smaller = program
                smaller[index] = simpler
                if await fails(smaller) {
                    program = smaller
                    wasShrunk = true
                    break
                }
            }
        }
        if !wasShrunk { return program }
    }
}

extension Operation {
    /// Variants of the operation that do slightly less.
    fileprivate var simpler: [Operation] {
        switch self {
        case .post(let kind, .some): return [.post(kind, sender: nil)]
        case .add(let observer, let kind, let way, let sender, let owner, let body):
            func add(sender: Int?, owner: Int?, body: Program) -> Operation {
                .add(observer: observer, kind, way, sender: sender, owner: owner, body: body)
            }
            var simpler: [Operation] = []
            if way != .inPost {
                simpler.append(.add(observer: observer, kind, sender: sender, owner: owner, body: body))
            }
            if !body.isEmpty { simpler.append(add(sender: sender, owner: owner, body: [])) }
            if sender != nil { simpler.append(add(sender: nil, owner: owner, body: body)) }
            if owner != nil { simpler.append(add(sender: sender, owner: nil, body: body)) }
            for index in body.indices {
                var shorter = body
                shorter.remove(at: index)
                simpler.append(add(sender: sender, owner: owner, body: shorter))
                for simplerInside in body[index].simpler {
                    var other = body
                    other[index] = simplerInside
                    simpler.append(add(sender: sender, owner: owner, body: other))
                }
            }
            return simpler
        case .drain(let observer), .remove(let observer): return [.cancel(observer: observer)]
        default: return []
        }
    }
}
