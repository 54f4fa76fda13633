package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// Slug makes a short name of a title that is safe in paths and addresses:
// letters, digits and hyphens, at most 48 runes, with a hash where anything was cut or dropped.
func Slug(title string) string {
	var b strings.Builder
	runes, dropped := 0, false
	for _, r := range strings.ToLower(strings.TrimSpace(title)) {
		switch {
		case runes == 48:
			dropped = true
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
			runes++
		case !strings.HasSuffix(b.String(), "-") && b.Len() > 0:
			b.WriteByte('-')
			runes++
		}
	}
	slug := strings.Trim(b.String(), "-")
	if slug == "" || dropped {
		sum := sha256.Sum256([]byte(title))
		slug = strings.Trim(slug+"-"+hex.EncodeToString(sum[:3]), "-")
	}
	return slug
}
