extension SystemCallFamily {
  /// Returns the reason why a call that exists cannot be named in `call:`, and the help; `nil` for
  /// all others.
  static func reason(toRefuse name: String) -> (message: String, help: String)? {
    switch name {
    case "exit", "exit_group", "_exit":
      return (
        "\"\(name)\" cannot be given anything: it never returns",
        "write \"process:\" to strike a process, or expect how it ends: expect: { exit: 0 }"
      )
    case "rt_sigreturn", "sigreturn", "restart_syscall":
      return (
        "\"\(name)\" is the kernel's own call: no program asks for anything by it",
        "name the call that a signal interrupts, with { error: EINTR }"
      )
    case "arch_prctl", "get_robust_list", "get_thread_area", "modify_ldt", "rseq",
      "set_robust_list", "set_thread_area", "set_tid_address":
      return (
        "\"\(name)\" sets up a thread before its own code runs, and is always made",
        "name a call that comes later, such as clone, mmap or futex"
      )
    case "kexec_load", "kexec_file_load", "sysfs", "ustat", "uselib", "lookup_dcookie", "_sysctl",
      "nfsservctl", "create_module", "query_module", "get_kernel_syms", "afs_syscall", "tuxcall",
      "vserver", "security", "getpmsg", "putpmsg", "epoll_ctl_old", "epoll_wait_old":
      return (
        "\"\(name)\" is not made by programs of today, and is left alone",
        "name a call that the program makes, as strace(1) shows them"
      )
    default: return nil
    }
  }
}
