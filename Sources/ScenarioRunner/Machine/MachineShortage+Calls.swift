internal import Foundations
internal import Supervisor

extension MachineShortage {
  /// The first of some calls that is refused; `nil` if none is.
  init?(among calls: [RequiredCall]) {
    for call in calls {
      guard let number = call.refusal else { continue }
      self.init(
        message: "the call \(call.name) is refused here: \(SystemText.error(number))",
        help: """
          the container's seccomp profile must allow \(call.name) (docker run --security-opt seccomp=unconfined)
          """)
      return
    }
    return nil
  }
}
