//! The Rust probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//!
//!     waits NAME=MILLISECONDS...
//!
//! One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

fn thread_sleep(length: Duration) -> bool {
    thread::sleep(length);
    true
}

fn park_timeout(length: Duration) -> bool {
    thread::park_timeout(length);
    true
}

fn condvar_wait_timeout(length: Duration) -> bool {
    let mutex = Mutex::new(());
    let condition = Condvar::new();
    let guard = mutex.lock().unwrap();
    let (_guard, result) = condition.wait_timeout(guard, length).unwrap();
    result.timed_out()
}

fn condvar_wait_timeout_while(length: Duration) -> bool {
    let mutex = Mutex::new(());
    let condition = Condvar::new();
    let guard = mutex.lock().unwrap();
    let (_guard, result) = condition.wait_timeout_while(guard, length, |_| true).unwrap();
    result.timed_out()
}

fn recv_timeout(length: Duration) -> bool {
    let (_sender, receiver) = mpsc::channel::<()>();
    receiver.recv_timeout(length) == Err(mpsc::RecvTimeoutError::Timeout)
}

fn sync_channel_recv_timeout(length: Duration) -> bool {
    let (_sender, receiver) = mpsc::sync_channel::<()>(1);
    receiver.recv_timeout(length) == Err(mpsc::RecvTimeoutError::Timeout)
}

fn thread_join(length: Duration) -> bool {
    thread::spawn(move || thread::sleep(length)).join().is_ok()
}

fn scoped_thread(length: Duration) -> bool {
    let has_slept = Arc::new(Mutex::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(length);
            *has_slept.lock().unwrap() = true;
        });
    });
    let ended = *has_slept.lock().unwrap();
    ended
}

fn has_run_out(result: std::io::Result<usize>) -> bool {
    matches!(result, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

fn tcp_read_timeout(length: Duration) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    stream.set_read_timeout(Some(length)).unwrap();
    has_run_out(stream.read(&mut [0]))
}

fn unix_write_timeout(length: Duration) -> bool {
    let (mut stream, _other) = UnixStream::pair().unwrap();
    stream.set_nonblocking(true).unwrap();
    while stream.write(&[0; 65536]).is_ok() {}
    stream.set_nonblocking(false).unwrap();
    stream.set_write_timeout(Some(length)).unwrap();
    has_run_out(stream.write(&[0; 65536]))
}

fn udp_read_timeout(length: Duration) -> bool {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(length)).unwrap();
    has_run_out(socket.recv(&mut [0]))
}

const WAITS: &[(&str, fn(Duration) -> bool)] = &[
    ("thread::sleep", thread_sleep),
    ("thread::park_timeout", park_timeout),
    ("Condvar::wait_timeout", condvar_wait_timeout),
    ("Condvar::wait_timeout_while", condvar_wait_timeout_while),
    ("mpsc::Receiver::recv_timeout", recv_timeout),
    ("mpsc::sync_channel-recv_timeout", sync_channel_recv_timeout),
    ("JoinHandle::join", thread_join),
    ("thread::scope", scoped_thread),
    ("TcpStream::set_read_timeout", tcp_read_timeout),
    ("UnixStream::set_write_timeout", unix_write_timeout),
    ("UdpSocket::set_read_timeout", udp_read_timeout),
];

fn milliseconds(time: Duration) -> String {
    match time.subsec_nanos() % 1_000_000 {
        0 => format!("{}", time.as_millis()),
        rest => format!("{}.{:06}", time.as_millis(), rest),
    }
}

fn main() {
    for word in std::env::args().skip(1) {
        let parts = word.split_once('=');
        let found = parts.and_then(|(name, text)| {
            let wait = WAITS.iter().find(|row| row.0 == name)?.1;
            Some((name, wait, text.parse().ok()?))
        });
        let (name, wait, count) = match found {
            Some(found) => found,
            None => {
                eprintln!("waits: there is no wait \"{}\"", word);
                std::process::exit(2);
            }
        };
        let (monotonic, wall) = (Instant::now(), SystemTime::now());
        let has_ended = wait(Duration::from_millis(count));
        let (monotonic, wall) = (monotonic.elapsed(), wall.elapsed().unwrap_or_default());
        if !has_ended {
            println!("{} failed", name);
        } else if monotonic == wall {
            println!("{} elapsed_ms={}", name, milliseconds(monotonic));
        } else {
            let (elapsed, wall) = (milliseconds(monotonic), milliseconds(wall));
            println!("{} elapsed_ms={} wall_ms={}", name, elapsed, wall);
        }
    }
}
