// Functions with several results, for constants that are given in their place.
package main

import (
	"errors"
	"fmt"
)

//go:noinline
func Two(number int) (int, float64, float32) { return number, 1.5, 2.5 }

//go:noinline
func Half(number int) (float64, error) { return float64(number) / 2, errors.New("none") }

func main() {
	number, double, float := Two(1)
	half, err := Half(3)
	fmt.Println(number, double, float, half, err)
}
