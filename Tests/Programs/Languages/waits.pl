# The Perl probe: makes the waits that it is asked for, one after the other, and tells how long each took.
#
#   waits.pl NAME=MILLISECONDS...
#
# One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.

use strict;
use warnings;
use IO::Poll qw(POLLIN);
use IO::Select;
use IO::Socket::INET;
use POSIX ();
use Time::HiRes qw(CLOCK_MONOTONIC CLOCK_REALTIME TIMER_ABSTIME);

$| = 1;

sub quiet_pipe {
  pipe(my $reader, my $writer) or die;
  return ($reader, $writer);
}

# The time of a clock in milliseconds. Perl reads clocks as floating point, to which a wall clock of our
# days is exact to some 200 ns.
sub now {
  my ($clock) = @_;
  my $seconds = Time::HiRes::clock_gettime($clock);
  return sprintf('%.3f', $seconds * 1000);
}

my %waits = (
  'sleep' => sub { sleep($_[0]) == $_[0] },
  'select-undef' => sub { select(undef, undef, undef, $_[0]) == 0 },
  'select' => sub {
    my ($reader, $writer) = quiet_pipe();
    vec(my $bits = '', fileno($reader), 1) = 1;
    select($bits, undef, undef, $_[0]) == 0;
  },
  'IO::Select' => sub {
    my ($reader, $writer) = quiet_pipe();
    IO::Select->new($reader)->can_read($_[0]);
    1;
  },
  'IO::Poll' => sub {
    my ($reader, $writer) = quiet_pipe();
    my $poll = IO::Poll->new;
    $poll->mask($reader => POLLIN);
    $poll->poll($_[0]) == 0;
  },
  'Time::HiRes::sleep' => sub { Time::HiRes::sleep($_[0]) >= $_[0] },
  'Time::HiRes::usleep' => sub { Time::HiRes::usleep($_[0] * 1e6) >= $_[0] * 1e6 },
  'Time::HiRes::nanosleep' => sub { Time::HiRes::nanosleep($_[0] * 1e9) >= $_[0] * 1e9 },
  'Time::HiRes::clock_nanosleep' => sub {
    my $end = Time::HiRes::clock_gettime(CLOCK_MONOTONIC) + $_[0];
    Time::HiRes::clock_nanosleep(CLOCK_MONOTONIC, $end * 1e9, TIMER_ABSTIME);
    1;
  },
  'waitpid' => sub {
    my $child = fork // die;
    exec 'sleep', $_[0] if $child == 0;
    waitpid($child, 0) == $child && $? == 0;
  },
  'system' => sub { system('sleep', $_[0]) == 0 },
  'IO::Socket::INET-Timeout' => sub {
    my $listener = IO::Socket::INET->new(
      Listen => 1, LocalAddr => '127.0.0.1', LocalPort => 0, Timeout => $_[0]) or die;
    !defined $listener->accept;
  },
  'alarm' => sub {
    my $length = $_[0];
    my $has_fired = 0;
    local $SIG{ALRM} = sub { $has_fired += 1 };
    alarm $length;
    POSIX::pause();
    $has_fired == 1;
  },
  # The idiom: an alarm that dies out of a call that would go on for ever.
  'alarm-die' => sub {
    my ($reader, $writer) = quiet_pipe();
    my $length = $_[0];
    eval {
      local $SIG{ALRM} = sub { die "timeout\n" };
      alarm $length;
      sysread($reader, my $bytes, 1);
    };
    $@ eq "timeout\n";
  },
  'Time::HiRes::alarm' => sub {
    my $length = $_[0];
    my $has_fired = 0;
    local $SIG{ALRM} = sub { $has_fired += 1 };
    Time::HiRes::alarm($length);
    POSIX::pause();
    $has_fired == 1;
  },
  'Time::HiRes::setitimer' => sub {
    my $length = $_[0];
    my $has_fired = 0;
    local $SIG{ALRM} = sub { $has_fired += 1 };
    Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), $length);
    POSIX::pause();
    $has_fired == 1;
  },
);

for my $word (@ARGV) {
  my ($name, $length) = $word =~ /^(.*)=(\d+)$/;
  if (!defined $name || !$waits{$name}) {
    print STDERR "waits: there is no wait \"$word\"\n";
    exit 2;
  }
  my ($monotonic, $wall) = (now(CLOCK_MONOTONIC), now(CLOCK_REALTIME));
  my $has_run_out = $waits{$name}->($length / 1000);
  $monotonic = sprintf('%.3f', now(CLOCK_MONOTONIC) - $monotonic);
  $wall = sprintf('%.3f', now(CLOCK_REALTIME) - $wall);
  s/\.?0+$// for grep { /\./ } $monotonic, $wall;
  if (!$has_run_out) {
    print "$name failed\n";
  } else {
    print "$name elapsed_ms=$monotonic", abs($wall - $monotonic) < 0.01 ? '' : " wall_ms=$wall", "\n";
  }
}
