package store

// recent keeps the values that were used last, in two halves: once the younger
// one is full, the older one is forgotten and takes its place. The zero value
// keeps nothing.
type recent[K comparable, V any] struct {
	most       int // the greatest weight of one half
	weight     int // of the younger one
	young, old map[K]weighed[V]
}

type weighed[V any] struct {
	value  V
	weight int
}

func (r *recent[K, V]) get(k K) (v V, ok bool) {
	w, ok := r.young[k]
	if ok {
		return w.value, true
	}
	if w, ok = r.old[k]; ok {
		delete(r.old, k)
		r.put(k, w.value, w.weight)
	}
	return w.value, ok
}

func (r *recent[K, V]) put(k K, v V, weight int) {
	if r.weight+weight > r.most || r.young == nil {
		r.young, r.old, r.weight = map[K]weighed[V]{}, r.young, 0
	}
	delete(r.old, k)
	r.weight += weight - r.young[k].weight
	r.young[k] = weighed[V]{v, weight}
}

func (r *recent[K, V]) drop(k K) {
	r.weight -= r.young[k].weight
	delete(r.young, k)
	delete(r.old, k)
}

func (r *recent[K, V]) clear() { r.young, r.old, r.weight = nil, nil, 0 }

func (r *recent[K, V]) empty() bool { return len(r.young)+len(r.old) == 0 }
