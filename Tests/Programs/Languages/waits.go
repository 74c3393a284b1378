// The Go probe: makes the waits that it is asked for, one after the other, and tells how long each took.
//
//	waits NAME=MILLISECONDS...
//
// One line for each, as the C probe writes them; a wait that ended otherwise is told as `NAME failed`.
// It is built without C, and so is a static executable.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

func sleep(length time.Duration) bool {
	time.Sleep(length)
	return true
}

func after(length time.Duration) bool {
	<-time.After(length)
	return true
}

func timer(length time.Duration) bool {
	<-time.NewTimer(length).C
	return true
}

// A timer that is set anew while it runs.
func timerReset(length time.Duration) bool {
	timer := time.NewTimer(time.Hour)
	hasStopped := timer.Stop()
	timer.Reset(length)
	<-timer.C
	return hasStopped
}

// Four ticks of a quarter each.
func ticker(length time.Duration) bool {
	ticker := time.NewTicker(length / 4)
	defer ticker.Stop()
	for count := 0; count < 4; count++ {
		<-ticker.C
	}
	return true
}

func afterFunc(length time.Duration) bool {
	fired := make(chan bool)
	time.AfterFunc(length, func() { fired <- true })
	return <-fired
}

func selectWithTimeout(length time.Duration) bool {
	select {
	case <-make(chan bool):
		return false
	case <-time.After(length):
		return true
	}
}

func contextWithTimeout(length time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	<-ctx.Done()
	return errors.Is(ctx.Err(), context.DeadlineExceeded)
}

func contextWithDeadline(length time.Duration) bool {
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(length))
	defer cancel()
	<-ctx.Done()
	return errors.Is(ctx.Err(), context.DeadlineExceeded)
}

func waitGroup(length time.Duration) bool {
	var group sync.WaitGroup
	for index := 1; index <= 10; index++ {
		group.Add(1)
		go func(share time.Duration) {
			defer group.Done()
			time.Sleep(share)
		}(length * time.Duration(index) / 10)
	}
	group.Wait()
	return true
}

// Listeners that accept nobody, kept from being collected and with that closed.
var listeners []net.Listener

func quietListener() (net.Listener, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	listeners = append(listeners, listener)
	return listener, err
}

func quietConnection() (net.Conn, error) {
	listener, err := quietListener()
	if err != nil {
		return nil, err
	}
	return net.Dial("tcp", listener.Addr().String())
}

func readDeadline(length time.Duration) bool {
	connection, err := quietConnection()
	if err != nil || connection.SetReadDeadline(time.Now().Add(length)) != nil {
		return false
	}
	_, err = connection.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func writeDeadline(length time.Duration) bool {
	connection, err := quietConnection()
	if err != nil || connection.SetWriteDeadline(time.Now().Add(length)) != nil {
		return false
	}
	for err == nil {
		_, err = connection.Write(make([]byte, 1<<20))
	}
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func acceptDeadline(length time.Duration) bool {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil || listener.SetDeadline(time.Now().Add(length)) != nil {
		return false
	}
	_, err = listener.Accept()
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func pipeDeadline(length time.Duration) bool {
	reader, _, err := os.Pipe()
	if err != nil || reader.SetReadDeadline(time.Now().Add(length)) != nil {
		return false
	}
	_, err = reader.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded)
}

func commandContext(length time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	return exec.CommandContext(ctx, "sleep", "1000").Run() != nil && ctx.Err() != nil
}

// A server that never answers.
func clientTimeout(length time.Duration) bool {
	listener, err := quietListener()
	if err != nil {
		return false
	}
	client := http.Client{Timeout: length}
	response, err := client.Get("http://" + listener.Addr().String())
	if err == nil {
		_, _ = io.Copy(io.Discard, response.Body)
	}
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

var waits = map[string]func(time.Duration) bool{
	"time.Sleep":                  sleep,
	"time.After":                  after,
	"time.NewTimer":               timer,
	"time.Timer.Reset":            timerReset,
	"time.NewTicker":              ticker,
	"time.AfterFunc":              afterFunc,
	"select":                      selectWithTimeout,
	"context.WithTimeout":         contextWithTimeout,
	"context.WithDeadline":        contextWithDeadline,
	"sync.WaitGroup":              waitGroup,
	"net.Conn.SetReadDeadline":    readDeadline,
	"net.Conn.SetWriteDeadline":   writeDeadline,
	"net.TCPListener.SetDeadline": acceptDeadline,
	"os.File.SetReadDeadline":     pipeDeadline,
	"exec.CommandContext":         commandContext,
	"http.Client.Timeout":         clientTimeout,
}

func milliseconds(length time.Duration) string {
	if rest := length % time.Millisecond; rest != 0 {
		return fmt.Sprintf("%d.%06d", length.Milliseconds(), rest)
	}
	return fmt.Sprint(length.Milliseconds())
}

func main() {
	for _, word := range os.Args[1:] {
		name, text, _ := strings.Cut(word, "=")
		count, err := strconv.Atoi(text)
		wait := waits[name]
		if err != nil || wait == nil {
			fmt.Fprintf(os.Stderr, "waits: there is no wait \"%s\"\n", word)
			os.Exit(2)
		}
		start := time.Now()
		hasRunOut := wait(time.Duration(count) * time.Millisecond)
		end := time.Now()
		// Without its monotonic reading, a time is the wall clock's.
		elapsed, wall := end.Sub(start), end.Round(0).Sub(start.Round(0))
		switch {
		case !hasRunOut:
			fmt.Println(name, "failed")
		case elapsed == wall:
			fmt.Println(name, "elapsed_ms="+milliseconds(elapsed))
		default:
			fmt.Println(name, "elapsed_ms="+milliseconds(elapsed), "wall_ms="+milliseconds(wall))
		}
	}
}
