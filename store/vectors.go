package store

type vectorCache struct{}

func (v *vectorCache) stop() {}
