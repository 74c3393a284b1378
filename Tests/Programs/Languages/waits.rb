# The Ruby probe: makes the waits that it is asked for, one after the other, and tells how long each took.
#
#   waits.rb NAME=MILLISECONDS...
#
# One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

require "io/wait"
require "monitor"
require "net/http"
require "open3"
require "socket"
require "timeout"

$stdout.sync = true

def raises(error)
  yield
  false
rescue error
  true
end

WAITS = {
  "sleep" => ->(seconds) { sleep(seconds) },
  "Timeout.timeout" => ->(seconds) {
    raises(Timeout::Error) { Timeout.timeout(seconds) { sleep } }
  },
  "Timeout.timeout-read" => ->(seconds) {
    reader, _writer = IO.pipe
    raises(Timeout::Error) { Timeout.timeout(seconds) { reader.read(1) } }
  },
  "ConditionVariable#wait" => ->(seconds) {
    mutex = Mutex.new
    mutex.synchronize { ConditionVariable.new.wait(mutex, seconds) }
    true
  },
  "Mutex#sleep" => ->(seconds) {
    mutex = Mutex.new
    mutex.synchronize { mutex.sleep(seconds) }
    true
  },
  "MonitorMixin::ConditionVariable#wait" => ->(seconds) {
    monitor = Monitor.new
    condition = monitor.new_cond
    monitor.synchronize { condition.wait(seconds) }
    true
  },
  "Thread#join" => ->(seconds) { Thread.new { sleep }.join(seconds).nil? },
  "Thread#value" => ->(seconds) { Thread.new { sleep(seconds); true }.value },
  "IO.select" => ->(seconds) {
    reader, _writer = IO.pipe
    IO.select([reader], nil, nil, seconds).nil?
  },
  "IO#wait_readable" => ->(seconds) {
    reader, _writer = IO.pipe
    reader.wait_readable(seconds).nil?
  },
  "Net::HTTP#read_timeout" => ->(seconds) {
    listener = TCPServer.new("127.0.0.1", 0)
    http = Net::HTTP.new("127.0.0.1", listener.addr[1])
    http.read_timeout = seconds
    http.max_retries = 0
    raises(Net::ReadTimeout) { http.get("/") }
  },
  "Process.wait" => ->(seconds) {
    Process.wait(spawn("sleep", seconds.to_s))
    $?.success?
  },
  "Fiber.sleep" => ->(seconds) { Thread.new { Fiber.new { sleep(seconds) }.resume }.join && true },
}
if Queue.instance_method(:pop).parameters.any? { |_, name| name == :timeout } || RUBY_VERSION >= "3.2"
  WAITS["Queue#pop"] = ->(seconds) { Queue.new.pop(timeout: seconds).nil? }
end

def milliseconds(nanoseconds)
  whole, rest = nanoseconds.divmod(1_000_000)
  rest.zero? ? whole.to_s : format("%d.%06d", whole, rest)
end

def now(clock) = Process.clock_gettime(clock, :nanosecond)

ARGV.each do |word|
  name, length = word.split("=")
  wait = WAITS[name]
  abort("waits: there is no wait \"#{word}\"") unless wait
  seconds = Integer(length) % 1000 == 0 ? Integer(length) / 1000 : Integer(length) / 1000.0
  monotonic, wall = now(Process::CLOCK_MONOTONIC), now(Process::CLOCK_REALTIME)
  has_run_out = wait.call(seconds)
  monotonic, wall = now(Process::CLOCK_MONOTONIC) - monotonic, now(Process::CLOCK_REALTIME) - wall
  line = has_run_out ? "#{name} elapsed_ms=#{milliseconds(monotonic)}" : "#{name} failed"
  line += " wall_ms=#{milliseconds(wall)}" if has_run_out && wall != monotonic
  puts line
end
exit!(0)
