extension SystemCallFamily {
  /// Returns the reason why a call that exists cannot be named in `call:`, and the help; `nil` for
  /// all others.
  static func reason(toRefuse name: String) -> (message: String, help: String)? {
    switch name {
    case "exit", "exit_group", "_exit":
      return (
        "\"\(name)\" cannot have a result: it never returns",
        "write \"process:\" to inject a fault into a process, or expect its end: expect: { exit: 0 }"
      )
    case "rt_sigreturn", "sigreturn", "restart_syscall":
      return (
        "\"\(name)\" is a call that only the kernel makes",
        "name the call that a signal interrupts, with { error: EINTR }"
      )
    case "arch_prctl", "get_robust_list", "get_thread_area", "modify_ldt", "rseq",
      "set_robust_list", "set_thread_area", "set_tid_address":
      return (
        "\"\(name)\" sets up a thread before its own code runs, in every program",
        "name a later call, such as clone, mmap or futex"
      )
    case "kexec_load", "kexec_file_load", "sysfs", "ustat", "uselib", "lookup_dcookie", "_sysctl",
      "nfsservctl", "create_module", "query_module", "get_kernel_syms", "afs_syscall", "tuxcall",
      "vserver", "security", "getpmsg", "putpmsg", "epoll_ctl_old", "epoll_wait_old":
      return (
        "\"\(name)\" is obsolete and not supported",
        "name a call that the program makes, as shown by strace(1)"
      )
    default: return nil
    }
  }
}
