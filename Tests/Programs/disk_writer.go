// disk_writer writes blocks of zeros to a file until one does not fit.
//
//	disk_writer FILE SIZE COUNT
//
// It prints how many bytes have been written, and why no more.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: disk_writer FILE SIZE COUNT")
		os.Exit(2)
	}
	size, _ := strconv.Atoi(os.Args[2])
	count, _ := strconv.Atoi(os.Args[3])
	file, err := os.Create(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	total := 0
	for round := 0; round < count; round++ {
		written, err := file.Write(make([]byte, size))
		total += written
		if err != nil {
			fmt.Println(total, errors.Unwrap(err))
			return
		}
	}
	fmt.Println(total)
}
