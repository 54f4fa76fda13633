package mirror

// unsupportedSync reports whether the system has no sync for folders: Windows
// journals them by itself and refuses the call.
func unsupportedSync(error) bool { return true }
