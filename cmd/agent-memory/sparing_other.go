//go:build !linux

package main

// unmapProgram does nothing: how much of a program counts is known of Linux only.
func unmapProgram() {}
