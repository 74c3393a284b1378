<?php
// The PHP probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//
//   php waits.php NAME=MILLISECONDS...
//
// One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

function quiet_pair(): array
{
    return stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
}

$waits = [
    'sleep' => fn(int $ms) => sleep(intdiv($ms, 1000)) === 0,
    'usleep' => function (int $ms) {
        usleep($ms * 1000);
        return true;
    },
    'time_nanosleep' => fn(int $ms) => time_nanosleep(intdiv($ms, 1000), $ms % 1000 * 1000000),
    'time_sleep_until' => fn(int $ms) => time_sleep_until(microtime(true) + $ms / 1000),
    'stream_select' => function (int $ms) {
        [$end, $other] = quiet_pair();
        [$read, $none] = [[$end], null];
        return stream_select($read, $none, $none, intdiv($ms, 1000), $ms % 1000 * 1000) === 0;
    },
    'stream_set_timeout' => function (int $ms) {
        [$end, $other] = quiet_pair();
        stream_set_timeout($end, intdiv($ms, 1000), $ms % 1000 * 1000);
        fread($end, 1);
        return stream_get_meta_data($end)['timed_out'];
    },
    'stream_socket_accept' => function (int $ms) {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        return @stream_socket_accept($server, $ms / 1000) === false;
    },
    'http-timeout' => function (int $ms) {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        $url = 'http://' . stream_socket_get_name($server, false) . '/';
        $context = stream_context_create(['http' => ['timeout' => $ms / 1000]]);
        return @file_get_contents($url, false, $context) === false;
    },
    'exec' => function (int $ms) {
        exec('sleep ' . $ms / 1000, $output, $status);
        return $status === 0;
    },
    'pcntl_alarm' => function (int $ms) {
        $fired = 0;
        pcntl_signal(SIGALRM, function () use (&$fired) {
            $fired += 1;
        });
        pcntl_alarm(intdiv($ms, 1000));
        sleep(1000);
        pcntl_signal_dispatch();
        return $fired === 1;
    },
    'pcntl_sigtimedwait' => function (int $ms) {
        pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1]);
        $seconds = intdiv($ms, 1000);
        return @pcntl_sigtimedwait([SIGUSR1], $information, $seconds, $ms % 1000 * 1000000) === -1;
    },
];

function milliseconds(int $nanoseconds): string
{
    [$whole, $rest] = [intdiv($nanoseconds, 1000000), $nanoseconds % 1000000];
    return $rest === 0 ? "$whole" : sprintf('%d.%06d', $whole, $rest);
}

foreach (array_slice($argv, 1) as $word) {
    [$name, $length] = explode('=', $word);
    if (!isset($waits[$name])) {
        fwrite(STDERR, "waits: there is no wait \"$word\"\n");
        exit(2);
    }
    $start = hrtime(true);
    $has_run_out = $waits[$name]((int) $length);
    $elapsed = milliseconds(hrtime(true) - $start);
    echo $has_run_out ? "$name elapsed_ms=$elapsed\n" : "$name failed\n";
}
