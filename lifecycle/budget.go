package lifecycle

// EstimateTokens estimates what a text costs a model: a token for four bytes of
// ASCII, and one for every other character, as tokenizers treat Chinese.
func EstimateTokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+3)/4 + other
}
