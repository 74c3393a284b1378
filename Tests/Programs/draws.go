// Prints what a Go program draws at random.
package main

import (
	crypto "crypto/rand"
	"fmt"
	"hash/maphash"
	"math/rand"
	"os"
)

func main() {
	bytes := make([]byte, 8)
	crypto.Read(bytes)
	fmt.Printf("crypto %x\n", bytes)

	numbers := map[int]bool{}
	for i := 0; i < 20; i++ {
		numbers[i] = true
	}
	fmt.Print("map")
	for number := range numbers {
		fmt.Print(" ", number)
	}
	fmt.Println()

	var hash maphash.Hash
	hash.WriteString("text")
	fmt.Printf("hash %x\n", hash.Sum64())

	device, _ := os.Open("/dev/urandom")
	device.Read(bytes)
	fmt.Printf("device %x\n", bytes)
	rand.Seed(int64(bytes[0]))
	fmt.Println("seeded", rand.Int63())
}
