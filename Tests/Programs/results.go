// Functions with several results, for constants that are given in their place.
package main

import (
	"errors"
	"fmt"
	"os"
)

type Store struct{ count int }

type Level uint8

//go:noinline
func Two(number int) (int, float64, float32) { return number, 1.5, 2.5 }

//go:noinline
func Half(number int) (float64, error) { return float64(number) / 2, errors.New("none") }

//go:noinline
func Single(number int) float32 { return float32(number) / 4 }

//go:noinline
func Fail() error { return errors.New("failed") }

//go:noinline
func Words() ([]string, error) { return []string{"a"}, nil }

//go:noinline
func Table() [4]int { return [4]int{1, 2, 3, 4} }

//go:noinline
func Many() (a, b, c, d string, e, f int) { return "a", "b", "c", "d", 5, 6 }

//go:noinline
func (store *Store) Save(number int) (int, error) { return store.count + number, nil }

//go:noinline
func (level Level) Next() Level { return level + 1 }

func main() {
	number, double, float := Two(1)
	half, err := Half(3)
	fmt.Println(number, double, float, half, err)
	if len(os.Args) > 1 {
		words, _ := Words()
		a, _, _, _, _, f := Many()
		saved, _ := (&Store{2}).Save(3)
		fmt.Println(Single(1), Fail(), words, Table(), a, f, saved, Level(1).Next())
	}
}
