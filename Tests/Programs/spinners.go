// Spinners lets goroutines spin until another one has slept a few times for microseconds, as a runtime's own threads do.
//
//	spinners COUNT
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: spinners COUNT")
		os.Exit(2)
	}
	count, err := strconv.Atoi(os.Args[1])
	if err != nil || count < 1 {
		fmt.Fprintf(os.Stderr, "spinners: \"%s\" is no count\n", os.Args[1])
		os.Exit(2)
	}
	var done atomic.Bool
	var group sync.WaitGroup
	for index := 0; index < count; index++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for !done.Load() {
			}
		}()
	}
	for index := 0; index < 20; index++ {
		time.Sleep(11 * time.Microsecond)
	}
	done.Store(true)
	group.Wait()
	fmt.Println("all have ended")
}
