// retry gets a URL and tries again after 1, 2 and 4 seconds while the server is at fault.
//
//	retry URL
//
// It prints the status of each attempt and, in the end, the body. After four attempts it gives up with
// the exit code 1.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const attempts = 4

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: retry URL")
		os.Exit(2)
	}
	pause := time.Second
	for attempt := 1; attempt <= attempts; attempt++ {
		status, body, err := get(os.Args[1])
		if err != nil {
			fmt.Printf("attempt %d: %v\n", attempt, err)
		} else {
			fmt.Printf("attempt %d: %d\n", attempt, status)
		}
		if err == nil && status < 500 {
			fmt.Println(strings.TrimRight(body, "\n"))
			return
		}
		if attempt < attempts {
			time.Sleep(pause)
			pause *= 2
		}
	}
	fmt.Println("gave up")
	os.Exit(1)
}

func get(url string) (int, string, error) {
	response, err := http.Get(url)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}
