/// The numbers of the system calls that the supervisor treats by name, on x86-64.
enum SystemCallNumber {
  static let open = 2
  static let poll = 7
  static let mmap = 9
  static let mprotect = 10
  static let select = 23
  static let schedYield = 24
  static let nanosleep = 35
  static let connect = 42
  static let sendto = 44
  static let sendmsg = 46
  static let clone = 56
  static let execve = 59
  static let gettimeofday = 96
  static let time = 201
  static let futex = 202
  static let clockGettime = 228
  static let clockNanosleep = 230
  static let epollWait = 232
  static let openat = 257
  static let pselect6 = 270
  static let ppoll = 271
  static let epollPwait = 281
  static let sendmmsg = 307
  static let ioUringSetup = 425
  static let clone3 = 435
  static let openat2 = 437
  static let epollPwait2 = 441
}
