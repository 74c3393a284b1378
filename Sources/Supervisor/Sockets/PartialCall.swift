/// The identity of a call in which a thread sleeps, which distinguishes it from a later one that
/// looks the same.
///
/// The kernel counts a socket's timeout over the whole of a call that goes on by parts (`timeo` in
/// `tcp_recvmsg_locked`, `tcp_sendmsg_locked` and `unix_stream_read_generic`). There are two exceptions,
/// where each part has its time anew: a send by a Unix socket (`sock_alloc_send_pskb`), and sendfile(2) and
/// splice(2), which send one message after the other.
enum PartialCall: Equatable {
  /// A call of read(2) or write(2) and their kin: the thread has ended so many of them (proc(5): `syscr`,
  /// `syscw` of /proc/PID/io).
  case counted(UInt64)
  /// A send(2) by TCP: it goes on as long as the socket has taken fewer bytes than this in all, or it may
  /// be another one.
  case sent(UInt64)
}
