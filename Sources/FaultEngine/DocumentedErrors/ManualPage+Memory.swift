extension ManualPage {
  /// Calls that ask for memory and give it back.
  static let memory: [ManualPage] = [
    ManualPage(
      name: "mmap", calls: ["mmap", "munmap"],
      common: "ENOMEM", possible: "EAGAIN ENFILE EPERM ETXTBSY ENODEV",
      caller: "EACCES EBADF EEXIST EINVAL EOVERFLOW",
      absent: ["munmap": "EAGAIN ENFILE EPERM ETXTBSY ENODEV EACCES EBADF EEXIST EOVERFLOW"]),
    ManualPage(
      name: "mremap", calls: ["mremap"], common: "ENOMEM", possible: "EAGAIN",
      caller: "EFAULT EINVAL"),
    ManualPage(
      name: "mprotect", calls: ["mprotect", "pkey_mprotect"],
      common: "ENOMEM", possible: "EACCES", caller: "EINVAL"),
    // brk(2) tells of its error under "Return value".
    ManualPage(name: "brk", calls: ["brk"], common: "ENOMEM"),
    ManualPage(
      name: "madvise", calls: ["madvise"],
      possible: "EAGAIN EIO ENOMEM", caller: "EACCES EBADF EBUSY EFAULT EHWPOISON EINVAL EPERM"),
    ManualPage(
      name: "mlock", calls: ["mlock", "mlock2", "mlockall", "munlock", "munlockall"],
      common: "ENOMEM EPERM", possible: "EAGAIN", caller: "EINVAL",
      absent: ["munlock": "EPERM", "munlockall": "ENOMEM EAGAIN EINVAL"]),
    ManualPage(
      name: "mincore", calls: ["mincore"], possible: "EAGAIN", caller: "EFAULT EINVAL ENOMEM"),
    ManualPage(
      name: "memfd_create", calls: ["memfd_create"],
      common: "EMFILE ENOMEM", possible: "ENFILE", caller: "EFAULT EINVAL"),
    ManualPage(
      name: "userfaultfd", calls: ["userfaultfd"],
      common: "EPERM EMFILE", possible: "ENFILE ENOMEM", caller: "EINVAL", unlisted: "ENOSYS"),
    ManualPage(
      name: "process_vm_readv", calls: ["process_vm_readv", "process_vm_writev"],
      common: "EPERM ESRCH", possible: "ENOMEM", caller: "EFAULT EINVAL"),
  ]
}
