package lifecycle

import (
	"slices"
	"strconv"
	"strings"
)

// numberAt returns the number that a run of tokens begins with in digits, and
// how many tokens it takes.
func numberAt(run []token) (string, int) {
	if len(run) == 0 {
		return "", 0
	}
	if run[0].kind != number {
		return englishNumber(run)
	}
	if amount, ok := plainNumber(run[0].text); ok {
		if zeros := tenThousands(textAt(run, 1)); zeros > 0 {
			return shifted(amount, zeros), 2
		}
		return amount, 1
	}
	if amount, ok := chineseNumber(run[0].text); ok {
		if run[0].text == "一" && !countsSomething(run[1:]) {
			return "", 0
		}
		return amount, 1
	}
	return englishNumber(run)
}

// plainNumber reads digits, groups of thousands among them, with a sign or a
// mark of currency before and a percent sign or a unit behind.
func plainNumber(s string) (string, bool) {
	if digits(s) {
		return s, true
	}
	if s == "" || letter(s[0]) { // as in most identifiers
		return "", false
	}
	body := strings.TrimLeft(s, "-+$€£¥<>≤≥≠")
	sign := s[:len(s)-len(body)]
	number := strings.TrimRight(body, "abcdefghijklmnopqrstuvwxyz%")
	unit := body[len(number):]
	if unit != "" && unit != "%" && !latinUnit(unit) {
		return "", false
	}
	whole, fraction, decimal := strings.Cut(number, ".")
	if decimal && !digits(fraction) {
		return "", false
	}
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if !digits(g) || len(groups) > 1 && (i > 0 && len(g) != 3 || len(g) > 3) {
			return "", false
		}
	}
	whole = strings.Join(groups, "")
	if decimal {
		whole += "." + fraction
	}
	return sign + whole + unit, true
}

// tenThousands is how many zeros 万 and 亿 after digits stand for.
func tenThousands(s string) int {
	switch s {
	case "万", "萬":
		return 4
	case "亿", "億":
		return 8
	}
	return 0
}

// shifted multiplies a decimal number by ten to the power of zeros, exactly.
func shifted(amount string, zeros int) string {
	whole, fraction, _ := strings.Cut(amount, ".")
	fraction += strings.Repeat("0", max(0, zeros-len(fraction)))
	whole += fraction[:zeros]
	if rest := strings.TrimRight(fraction[zeros:], "0"); rest != "" {
		whole += "." + rest
	}
	if trimmed := strings.TrimLeft(whole, "0"); trimmed != "" && trimmed[0] != '.' {
		return trimmed
	}
	return whole
}

// chineseNumber reads 十五, 一百零三, 三千五, 二〇二六. What is written in an unusual
// way is none: 万一, 三四.
func chineseNumber(s string) (string, bool) {
	runes := []rune(s)
	if positional(runes) {
		var b strings.Builder
		for _, r := range runes {
			b.WriteString(strconv.Itoa(chineseDigit(r)))
		}
		return b.String(), true
	}
	total, section, last, zero := 0, 0, 0, false // last: the unit that came last
	digit := -1
	for i, r := range runes {
		d, unit := chineseDigit(r), chineseUnit(r)
		switch {
		case d == 0:
			zero, digit = true, -1
		case d > 0 && digit >= 0, d < 0 && unit == 0:
			return "", false
		case d > 0:
			digit = d
		case unit >= 10000:
			if section += max(digit, 0); section == 0 {
				return "", false
			}
			total, section, digit, last, zero = (total+section)*unit, 0, -1, unit, false
		case digit < 0 && (unit != 10 || i > 0 && !zero), last > 0 && unit >= last:
			return "", false
		default:
			section, digit, last, zero = section+max(digit, 1)*unit, -1, unit, false
		}
	}
	if digit > 0 && last >= 100 && !zero {
		digit *= last / 10 // 三千五 is 3500
	}
	return strconv.Itoa(total + section + max(digit, 0)), true
}

// positional reports digits without units: one, or a row as in a year.
func positional(runes []rune) bool {
	if slices.ContainsFunc(runes, func(r rune) bool { return chineseDigit(r) < 0 }) {
		return false
	}
	return len(runes) == 1 || len(runes) >= 4
}

func chineseDigit(r rune) int {
	switch r {
	case '〇', '零':
		return 0
	case '两', '兩':
		return 2
	case '壹':
		return 1
	case '贰':
		return 2
	case '叁':
		return 3
	}
	if i := slices.Index([]rune("一二三四五六七八九"), r); i >= 0 {
		return i + 1
	}
	return -1
}

func chineseUnit(r rune) int {
	switch r {
	case '十':
		return 10
	case '百':
		return 100
	case '千':
		return 1000
	case '万', '萬':
		return 10000
	case '亿', '億':
		return 100000000
	}
	return 0
}

// englishNumber reads "two", "twenty-five", "three hundred and five thousand".
func englishNumber(run []token) (string, int) {
	total, section, n, tens, began := 0, 0, 0, false, false
	for n < len(run) {
		value, tensOnly := englishWord(run[n].text)
		switch {
		case run[n].text == "and" && began && section%100 == 0 && section > 0 && n+1 < len(run) && smallWord(run[n+1].text):
			n++
			continue
		case value < 0:
			return englishResult(total+section, n, began)
		case value == 100:
			if section >= 10 {
				return englishResult(total+section, n, began)
			}
			section = max(section, 1) * 100
		case value >= 1000:
			total, section = total+max(section, 1)*value, 0
		case began && section%100 != 0 && !(tens && value < 10):
			return englishResult(total+section, n, began)
		default:
			section += value
		}
		tens, began = tensOnly, true
		n++
	}
	return englishResult(total+section, n, began)
}

func englishResult(value, n int, began bool) (string, int) {
	if !began {
		return "", 0
	}
	return strconv.Itoa(value), n
}

func smallWord(w string) bool {
	value, _ := englishWord(w)
	return value > 0 && value < 100
}

// englishWord returns the value of a word, -1 for none, and whether it is one of
// those that a digit may follow.
func englishWord(w string) (value int, tens bool) {
	if head, rest, composed := strings.Cut(w, "-"); composed {
		a, isTens := englishWord(head)
		b, _ := englishWord(rest)
		if isTens && b > 0 && b < 10 {
			return a + b, false
		}
		return -1, false
	}
	if value = wordBelowTwenty(w); value >= 0 {
		return value, false
	}
	switch w {
	case "twenty":
		return 20, true
	case "thirty":
		return 30, true
	case "forty":
		return 40, true
	case "fifty":
		return 50, true
	case "sixty":
		return 60, true
	case "seventy":
		return 70, true
	case "eighty":
		return 80, true
	case "ninety":
		return 90, true
	case "hundred":
		return 100, false
	case "thousand":
		return 1000, false
	case "million":
		return 1000000, false
	}
	return -1, false
}

func wordBelowTwenty(w string) int {
	switch w {
	case "zero":
		return 0
	case "one":
		return 1
	case "two":
		return 2
	case "three":
		return 3
	case "four":
		return 4
	case "five":
		return 5
	case "six":
		return 6
	case "seven":
		return 7
	case "eight":
		return 8
	case "nine":
		return 9
	case "ten":
		return 10
	case "eleven":
		return 11
	case "twelve":
		return 12
	case "thirteen":
		return 13
	case "fourteen":
		return 14
	case "fifteen":
		return 15
	case "sixteen":
		return 16
	case "seventeen":
		return 17
	case "eighteen":
		return 18
	case "nineteen":
		return 19
	}
	return -1
}
