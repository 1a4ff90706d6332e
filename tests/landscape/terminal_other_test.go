//go:build !linux

package landscape_test

import (
	"os"
	"testing"
)

func terminal(t *testing.T) (input, keyboard *os.File) {
	t.Helper()
	t.Skip("terminals are opened in another way here")
	return nil, nil
}
