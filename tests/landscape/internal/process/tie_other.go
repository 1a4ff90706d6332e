//go:build !linux

package process

func tied(program string, arguments []string) tie { return guarded(program, arguments) }
