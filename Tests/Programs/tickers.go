// Tickers runs one ticker for each period, for a length of time, and tells how often each has ticked and
// whether a tick came at another millisecond than its own: the runtime itself sleeps for microseconds
// where its threads contend.
//
//	tickers LENGTH PERIOD...
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

func run(period, length time.Duration, start time.Time) string {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	late := 0
	count := int(length / period)
	for number := 1; number <= count; number++ {
		<-ticker.C
		if time.Since(start).Truncate(time.Millisecond) != time.Duration(number)*period {
			late++
		}
	}
	if late == 0 {
		return fmt.Sprintf("%d ticks, none late", count)
	}
	return fmt.Sprintf("%d ticks, %d late", count, late)
}

func main() {
	var lengths []time.Duration
	for _, word := range os.Args[1:] {
		length, err := time.ParseDuration(word)
		if err != nil || length <= 0 {
			fmt.Fprintf(os.Stderr, "tickers: \"%s\" is no length of time\n", word)
			os.Exit(2)
		}
		lengths = append(lengths, length)
	}
	if len(lengths) < 2 {
		fmt.Fprintln(os.Stderr, "usage: tickers LENGTH PERIOD...")
		os.Exit(2)
	}
	start := time.Now()
	results := make([]string, len(lengths))
	var group sync.WaitGroup
	for index := 1; index < len(lengths); index++ {
		group.Add(1)
		go func(index int) {
			defer group.Done()
			results[index] = run(lengths[index], lengths[0], start)
		}(index)
	}
	group.Wait()
	for index := 1; index < len(lengths); index++ {
		fmt.Printf("%s: %s\n", os.Args[index+1], results[index])
	}
}
