/// Calls that reach other processes, by numbers or descriptors, on x86-64.
extension SystemCallNumber {
  static let setpriority = 141
  static let schedSetparam = 142
  static let schedSetscheduler = 144
  static let ioprioSet = 251
  static let processVmReadv = 310
  static let processVmWritev = 311
  static let kcmp = 312
  static let schedSetattr = 314
  static let pidfdOpen = 434
  static let pidfdGetfd = 438
  static let processMadvise = 440
  static let processMrelease = 448
}
