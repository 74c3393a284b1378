// Changes what is in a folder, and says whether it could: a static executable that calls the kernel itself.
//
//	outside_writer FOLDER
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

func say(what string, err error) {
	var number syscall.Errno
	if errors.As(err, &number) && number == syscall.EROFS {
		fmt.Println(what + ": read-only")
	} else if err != nil {
		fmt.Println(what + ": " + err.Error())
	} else {
		fmt.Println(what + ": done")
	}
}

func main() {
	folder := os.Args[1]
	say("write", os.WriteFile(filepath.Join(folder, "go"), []byte("x"), 0o600))
	say("folder", os.Mkdir(filepath.Join(folder, "folder"), 0o700))
	say("remove", os.Remove(filepath.Join(folder, "old")))
	os.Remove(filepath.Join(folder, "go"))
	os.Remove(filepath.Join(folder, "folder"))
}
