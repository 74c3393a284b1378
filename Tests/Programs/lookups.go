// Looks one name up several times, one after the other, and prints what became of each.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
)

func main() {
	resolver := &net.Resolver{PreferGo: true}
	count, _ := strconv.Atoi(os.Args[2])
	for i := 0; i < count; i++ {
		_, err := resolver.LookupHost(context.Background(), os.Args[1])
		if err != nil {
			fmt.Println("none")
		} else {
			fmt.Println("found")
		}
	}
}
