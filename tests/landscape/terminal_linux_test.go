package landscape_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// A terminal: what a program reads from, and where a person presses keys.
func terminal(t *testing.T) (input, keyboard *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	control := func(request uintptr, value *int32) {
		if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, keyboard.Fd(), request, uintptr(unsafe.Pointer(value))); code != 0 {
			t.Fatal(code)
		}
	}
	var locked, number int32
	control(syscall.TIOCSPTLCK, &locked)
	control(syscall.TIOCGPTN, &number)
	input, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = input.Close() })
	return input, keyboard
}
