// The C++ probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//
//   waits NAME=MILLISECONDS...
//
// One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <future>
#include <iostream>
#include <latch>
#include <map>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>

using namespace std::chrono;
using Milliseconds = milliseconds;

// What a thread that never ends waits for.
static void wait_for_ever() {
  static std::binary_semaphore nobody_releases(0);
  nobody_releases.acquire();
}

// Runs `take` on a thread that never ends, and returns when it has run.
template <typename Take>
static void hold(Take take) {
  std::latch has_taken(1);
  std::thread([&] {
    take();
    has_taken.count_down();
    wait_for_ever();
  }).detach();
  has_taken.wait();
}

static bool sleep_for(Milliseconds length) {
  std::this_thread::sleep_for(length);
  return true;
}

static bool sleep_until_steady(Milliseconds length) {
  std::this_thread::sleep_until(steady_clock::now() + length);
  return true;
}

static bool sleep_until_system(Milliseconds length) {
  std::this_thread::sleep_until(system_clock::now() + length);
  return true;
}

static bool condition_wait_for(Milliseconds length) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  return !condition.wait_for(lock, length, [] { return false; });
}

static bool condition_wait_until(Milliseconds length) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  return condition.wait_until(lock, system_clock::now() + length) == std::cv_status::timeout;
}

static bool condition_any_wait_for(Milliseconds length) {
  std::shared_mutex mutex;
  std::condition_variable_any condition;
  std::shared_lock lock(mutex);
  return condition.wait_for(lock, length) == std::cv_status::timeout;
}

static bool condition_any_stop_token(Milliseconds length) {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::stop_source source;
  std::unique_lock lock(mutex);
  return !condition.wait_for(lock, source.get_token(), length, [] { return false; });
}

static bool future_wait_for(Milliseconds length) {
  std::promise<int> promise;
  return promise.get_future().wait_for(length) == std::future_status::timeout;
}

static bool future_wait_until(Milliseconds length) {
  std::promise<int> promise;
  return promise.get_future().wait_until(steady_clock::now() + length) ==
         std::future_status::timeout;
}

static bool shared_future_wait_for(Milliseconds length) {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future();
  return future.wait_for(length) == std::future_status::timeout;
}

static bool timed_mutex_try_lock_for(Milliseconds length) {
  static std::timed_mutex mutex;
  hold([] { mutex.lock(); });
  return !mutex.try_lock_for(length);
}

static bool timed_mutex_try_lock_until(Milliseconds length) {
  static std::timed_mutex mutex;
  hold([] { mutex.lock(); });
  return !mutex.try_lock_until(system_clock::now() + length);
}

static bool recursive_timed_mutex(Milliseconds length) {
  static std::recursive_timed_mutex mutex;
  hold([] { mutex.lock(); });
  return !mutex.try_lock_for(length);
}

static bool shared_timed_mutex(Milliseconds length) {
  static std::shared_timed_mutex mutex;
  hold([] { mutex.lock(); });
  return !mutex.try_lock_shared_for(length);
}

static bool semaphore_try_acquire_for(Milliseconds length) {
  std::counting_semaphore<8> semaphore(0);
  return !semaphore.try_acquire_for(length);
}

static bool semaphore_try_acquire_until(Milliseconds length) {
  std::counting_semaphore<8> semaphore(0);
  return !semaphore.try_acquire_until(steady_clock::now() + length);
}

// A thread that is asked to stop when the time has passed, and joined.
static bool jthread_stop(Milliseconds length) {
  std::atomic<bool> has_stopped = false;
  {
    std::jthread thread([&](std::stop_token token) {
      std::mutex mutex;
      std::condition_variable_any condition;
      std::unique_lock lock(mutex);
      condition.wait(lock, token, [] { return false; });
      has_stopped = true;
    });
    std::this_thread::sleep_for(length);
  }
  return has_stopped;
}

static const std::map<std::string, bool (*)(Milliseconds)> waits = {
    {"this_thread::sleep_for", sleep_for},
    {"this_thread::sleep_until-steady", sleep_until_steady},
    {"this_thread::sleep_until-system", sleep_until_system},
    {"condition_variable::wait_for", condition_wait_for},
    {"condition_variable::wait_until", condition_wait_until},
    {"condition_variable_any::wait_for", condition_any_wait_for},
    {"condition_variable_any::wait_for-stop_token", condition_any_stop_token},
    {"future::wait_for", future_wait_for},
    {"future::wait_until", future_wait_until},
    {"shared_future::wait_for", shared_future_wait_for},
    {"timed_mutex::try_lock_for", timed_mutex_try_lock_for},
    {"timed_mutex::try_lock_until", timed_mutex_try_lock_until},
    {"recursive_timed_mutex::try_lock_for", recursive_timed_mutex},
    {"shared_timed_mutex::try_lock_shared_for", shared_timed_mutex},
    {"counting_semaphore::try_acquire_for", semaphore_try_acquire_for},
    {"counting_semaphore::try_acquire_until", semaphore_try_acquire_until},
    {"jthread", jthread_stop},
};

static void print_milliseconds(const char *label, nanoseconds time) {
  auto whole = duration_cast<Milliseconds>(time);
  std::cout << ' ' << label << '=' << whole.count();
  if (whole != time) {
    std::string fraction = std::to_string((time - whole).count());
    std::cout << '.' << std::string(6 - fraction.size(), '0') << fraction;
  }
}

int main(int count, char **arguments) {
  for (int index = 1; index < count; index += 1) {
    std::string word = arguments[index];
    auto separator = word.find('=');
    auto entry = waits.find(word.substr(0, separator));
    if (separator == std::string::npos || entry == waits.end()) {
      std::cerr << "waits: there is no wait \"" << word << "\"\n";
      return 2;
    }
    auto steady = steady_clock::now();
    auto system = system_clock::now();
    bool has_run_out = entry->second(Milliseconds(std::stoll(word.substr(separator + 1))));
    auto elapsed = steady_clock::now() - steady;
    auto wall = system_clock::now() - system;
    std::cout << entry->first;
    if (!has_run_out) {
      std::cout << " failed" << std::endl;
      continue;
    }
    print_milliseconds("elapsed_ms", elapsed);
    if (wall != elapsed) print_milliseconds("wall_ms", wall);
    std::cout << std::endl;
  }
  // Threads that never end are not waited for, and no destructor runs under them.
  std::_Exit(0);
}
