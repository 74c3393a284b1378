internal import Foundations

/// errno values, and the codes by which the kernel restarts a call (`include/linux/errno.h` of the
/// kernel); only tracers see the second kind.
enum KernelError {
  static let notPermitted = 1
  static let noProcess = 3
  static let interrupted = 4
  static let again = 11
  static let badAddress = 14
  static let invalidArgument = 22
  static let notSupported = 38
  static let timedOut = 110
  static let cancelled = 125
  static let alreadyConnecting = 114
  static let inProgress = 115
  static let restartSystemCall = 512
  static let restartNoInterrupt = 513
  static let restartNoHandler = 514
  static let restartBlock = 516
}
