extension TrustByKind {
  /// Sets the variable that points a new program of its kind to the certificate authorities to
  /// trust, and removes one that was set for another kind; returns the names of the variables that
  /// are set.
  ///
  /// A variable that the author or the program before has set stays as it is. This is done behind execve(2), so that the
  /// program is known for certain, and nothing of it has run yet.
  ///
  /// - Parameters:
  ///   - isTold: whether a variable was set for the program before, which it may have handed on.
  ///   - replacements: the files that are opened in place of others.
  func tell(_ tracee: Tracee, isTold: Bool, _ replacements: [FileReplacement]) -> [String] {
    let process = tracee.process
    let kind = kinds.kind(of: process.identifier) { path in
      replacements.contains { $0.isTrust && $0.paths.contains(path) }
    }
    guard kind != nil || isTold, let memory = process.memory,
      var registers = try? Registers.read(from: tracee.identifier), registers.isNative,
      let stack = ProgramStack(memory: memory, stackPointer: registers.stackPointer)
    else { return [] }
    let wanted = kind.flatMap { assignment(for: $0) }
    var added = wanted.map { [$0] } ?? []
    var given = added
    var withdrawn: [(place: Int, text: String)] = []
    for variable in stack.variables(named: names) {
      if isOwn(variable.text), variable.text != wanted {
        withdrawn.append(variable)
      } else if variable.text.prefix(while: { $0 != "=" }) == wanted?.prefix(while: { $0 != "=" }) {
        added = []
        if variable.text != wanted { given = [] }
      }
    }
    if !added.isEmpty || !withdrawn.isEmpty {
      guard let pointer = stack.rewrite(without: Set(withdrawn.map(\.place)), adding: added) else {
        return []
      }
      registers.stackPointer = pointer
      guard (try? registers.write(to: tracee.identifier)) != nil else { return [] }
    }
    process.program.trust.record(given: given, withdrawn: withdrawn.map(\.text))
    return given.map { String($0.prefix { $0 != "=" }) }
  }
}
