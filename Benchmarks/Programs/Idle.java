/** Sleeps for an hour, in which the virtual machine's own threads wake many times a second. */
public class Idle {
  public static void main(String[] arguments) throws InterruptedException {
    Thread.sleep(3_600_000L);
  }
}
