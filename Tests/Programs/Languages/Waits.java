import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The Java probe: makes the waits that it is asked for, one after the other, and tells how long each
 * took.
 *
 * <pre>java Waits NAME=MILLISECONDS...</pre>
 *
 * One line for each, as the C probe writes them; a wait that ended otherwise is told as
 * {@code NAME failed}.
 */
public final class Waits {
  /** A wait that says whether it ended as one does whose time has run out. */
  private interface Wait {
    boolean lasts(long milliseconds) throws Exception;
  }

  private static final Map<String, Wait> WAITS = new LinkedHashMap<>();

  static {
    WAITS.put("Thread.sleep", length -> {
      Thread.sleep(length);
      return true;
    });
    WAITS.put("TimeUnit.sleep", length -> {
      TimeUnit.MILLISECONDS.sleep(length);
      return true;
    });
    WAITS.put("Thread.join", length -> {
      Thread thread = held(LockSupport::park);
      thread.join(length);
      return thread.isAlive();
    });
    WAITS.put("Object.wait", length -> {
      Object monitor = new Object();
      synchronized (monitor) {
        monitor.wait(length);
      }
      return true;
    });
    WAITS.put("LockSupport.parkNanos", length -> {
      LockSupport.parkNanos(length * 1_000_000);
      return true;
    });
    WAITS.put("LockSupport.parkUntil", length -> {
      LockSupport.parkUntil(System.currentTimeMillis() + length);
      return true;
    });
    WAITS.put("Condition.awaitNanos", length -> {
      ReentrantLock lock = new ReentrantLock();
      lock.lock();
      return lock.newCondition().awaitNanos(length * 1_000_000) <= 0;
    });
    WAITS.put("ReentrantLock.tryLock", length -> {
      ReentrantLock lock = new ReentrantLock();
      held(lock::lock);
      return !lock.tryLock(length, TimeUnit.MILLISECONDS);
    });
    WAITS.put("ReentrantReadWriteLock.tryLock", length -> {
      ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
      held(lock.writeLock()::lock);
      return !lock.readLock().tryLock(length, TimeUnit.MILLISECONDS);
    });
    WAITS.put("Semaphore.tryAcquire",
        length -> !new Semaphore(0).tryAcquire(length, TimeUnit.MILLISECONDS));
    WAITS.put("CountDownLatch.await",
        length -> !new CountDownLatch(1).await(length, TimeUnit.MILLISECONDS));
    WAITS.put("CyclicBarrier.await",
        length -> timesOut(() -> new CyclicBarrier(2).await(length, TimeUnit.MILLISECONDS)));
    WAITS.put("Exchanger.exchange",
        length -> timesOut(() -> new Exchanger<String>().exchange("", length, TimeUnit.MILLISECONDS)));
    WAITS.put("BlockingQueue.poll",
        length -> new LinkedBlockingQueue<String>().poll(length, TimeUnit.MILLISECONDS) == null);
    WAITS.put("BlockingQueue.offer", length -> {
      ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
      queue.add("");
      return !queue.offer("", length, TimeUnit.MILLISECONDS);
    });
    WAITS.put("DelayQueue.take", length -> {
      DelayQueue<Due> queue = new DelayQueue<>();
      queue.add(new Due(System.nanoTime() + length * 1_000_000));
      return queue.take() != null;
    });
    WAITS.put("Future.get", length -> {
      var executor = Executors.newSingleThreadExecutor(Waits::daemon);
      var future = executor.submit(() -> LockSupport.park());
      return timesOut(() -> future.get(length, TimeUnit.MILLISECONDS));
    });
    WAITS.put("ExecutorService.awaitTermination", length -> {
      var executor = Executors.newSingleThreadExecutor(Waits::daemon);
      return !executor.awaitTermination(length, TimeUnit.MILLISECONDS);
    });
    WAITS.put("ScheduledThreadPoolExecutor.schedule", length -> {
      var executor = Executors.newScheduledThreadPool(2, Waits::daemon);
      return executor.schedule(() -> true, length, TimeUnit.MILLISECONDS).get();
    });
    // Five runs, the first at once: four periods of a quarter each.
    WAITS.put("ScheduledThreadPoolExecutor.scheduleAtFixedRate", length -> {
      var executor = Executors.newScheduledThreadPool(1, Waits::daemon);
      CountDownLatch runs = new CountDownLatch(5);
      executor.scheduleAtFixedRate(runs::countDown, 0, length / 4, TimeUnit.MILLISECONDS);
      runs.await();
      executor.shutdownNow();
      return true;
    });
    WAITS.put("Timer", length -> {
      CountDownLatch hasFired = new CountDownLatch(1);
      new Timer(true).schedule(new TimerTask() {
        @Override
        public void run() {
          hasFired.countDown();
        }
      }, length);
      hasFired.await();
      return true;
    });
    WAITS.put("CompletableFuture.orTimeout", length -> {
      try {
        new CompletableFuture<String>().orTimeout(length, TimeUnit.MILLISECONDS).get();
        return false;
      } catch (ExecutionException exception) {
        return exception.getCause() instanceof TimeoutException;
      }
    });
    WAITS.put("CompletableFuture.delayedExecutor", length -> {
      var executor = CompletableFuture.delayedExecutor(length, TimeUnit.MILLISECONDS);
      return CompletableFuture.supplyAsync(() -> true, executor).get();
    });
    WAITS.put("Socket.setSoTimeout", length -> {
      try (ServerSocket server = listener();
          Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.setSoTimeout((int) length);
        return socketTimesOut(() -> socket.getInputStream().read());
      }
    });
    WAITS.put("ServerSocket.setSoTimeout", length -> {
      try (ServerSocket server = listener()) {
        server.setSoTimeout((int) length);
        return socketTimesOut(server::accept);
      }
    });
    WAITS.put("Selector.select", length -> {
      try (Selector selector = Selector.open()) {
        Pipe.SourceChannel source = Pipe.open().source();
        source.configureBlocking(false);
        source.register(selector, SelectionKey.OP_READ);
        return selector.select(length) == 0;
      }
    });
    WAITS.put("HttpClient", length -> {
      try (ServerSocket server = listener()) {
        var address = "http://127.0.0.1:" + server.getLocalPort() + "/";
        var request = java.net.http.HttpRequest.newBuilder(java.net.URI.create(address))
            .timeout(Duration.ofMillis(length)).build();
        var client = java.net.http.HttpClient.newHttpClient();
        try {
          client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
          return false;
        } catch (java.net.http.HttpTimeoutException exception) {
          return true;
        }
      }
    });
    WAITS.put("Process.waitFor", length -> {
      Process process = new ProcessBuilder("sleep", "1000").start();
      boolean hasRunOut = !process.waitFor(length, TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      return hasRunOut;
    });
  }

  /** An element of a queue that is due at an instant. */
  private static final class Due implements Delayed {
    private final long nanoTime;

    Due(long nanoTime) {
      this.nanoTime = nanoTime;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  /** What a call throws when its time has run out. */
  private interface Call {
    void run() throws Exception;
  }

  private static boolean timesOut(Call call) throws Exception {
    try {
      call.run();
      return false;
    } catch (TimeoutException exception) {
      return true;
    }
  }

  private static boolean socketTimesOut(Call call) throws Exception {
    try {
      call.run();
      return false;
    } catch (SocketTimeoutException exception) {
      return true;
    }
  }

  private static ServerSocket listener() throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
    return server;
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts a thread that never ends; returns when it has taken what it is to hold. */
  private static Thread held(Runnable take) throws InterruptedException {
    CountDownLatch begins = new CountDownLatch(1);
    Thread thread = daemon(() -> {
      begins.countDown();
      take.run();
      while (true) LockSupport.park();
    });
    thread.start();
    begins.await();
    while (thread.getState() != Thread.State.WAITING) Thread.onSpinWait();
    return thread;
  }

  private static String milliseconds(long nanoseconds) {
    long rest = nanoseconds % 1_000_000;
    long whole = nanoseconds / 1_000_000;
    return rest == 0 ? Long.toString(whole) : String.format("%d.%06d", whole, rest);
  }

  private static long wallNanoseconds() {
    java.time.Instant now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000 + now.getNano();
  }

  public static void main(String[] arguments) throws Exception {
    for (String word : arguments) {
      String[] parts = word.split("=", 2);
      Wait wait = WAITS.get(parts[0]);
      if (wait == null || parts.length != 2) {
        System.err.println("waits: there is no wait \"" + word + "\"");
        System.exit(2);
      }
      long length = Long.parseLong(parts[1]);
      long start = System.nanoTime();
      long wallStart = wallNanoseconds();
      boolean hasRunOut = wait.lasts(length);
      long elapsed = System.nanoTime() - start;
      long wall = wallNanoseconds() - wallStart;
      String line = parts[0];
      if (!hasRunOut) {
        line += " failed";
      } else {
        line += " elapsed_ms=" + milliseconds(elapsed);
        if (wall != elapsed) line += " wall_ms=" + milliseconds(wall);
      }
      System.out.println(line);
    }
    System.exit(0);
  }
}
