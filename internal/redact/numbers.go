package redact

import (
	"strconv"
	"strings"
)

// Numbers that open accounts or name people carry check digits, so that they
// are known from other numbers of their length. Their anchors are pairs of
// digits: a text without digits pays nothing for them.

// pairs returns the two-digit anchors of the ranges, first and last included.
func pairs(ranges ...[2]int) []string {
	var all []string
	for _, r := range ranges {
		for n := r[0]; n <= r[1]; n++ {
			all = append(all, strconv.Itoa(n/10)+strconv.Itoa(n%10))
		}
	}
	return all
}

// paymentCard matches the number of a card: issuer, length, grouping, Luhn's
// check digit. One number of ten passes that by chance, therefore what
// stands before it is asked as well.
type paymentCard struct{ cards, others []string }

func newPaymentCard() paymentCard {
	return paymentCard{
		cards: []string{"card", "visa", "amex", "credit", "debit", "卡"},
		others: []string{"order", "track", "invoice", "ticket", "id", "ref", "serial", "sku", "part", "trace", "request", "parcel", "batch", "lot", "snowflake", "sequence",
			"timestamp", "code", "imei", "订单", "訂單", "单号", "單號", "流水", "编号", "編號", "运单", "快递", "序列", "条码", "批次", "工单", "时间戳"},
	}
}

func (m paymentCard) find(t scanned, at, _ int) span {
	n := readNumber(t, at)
	if n.end == 0 || !n.grouped() || !luhn(n.digits) || n.beforeMarker(t.all) {
		return span{}
	}
	before := t.lower[max(t.from, at-32):at]
	if !holdsAny(before, m.cards) && (holdsAny(before, m.others) || !n.issued() || n.rising()) {
		return span{}
	}
	return span{at, n.end}
}

// number is a run of digits, perhaps in groups.
type number struct {
	digits string
	groups []string
	end    int
}

const leastCard, mostCard = 13, 19 // digits

// readNumber reads the number that begins at a position; the zero number when it
// is part of something else, or too short or too long for a card.
func readNumber(t scanned, at int) number {
	if at > t.from && (alnum(t.all[at-1]) || strings.IndexByte("._-/", t.all[at-1]) >= 0) {
		return number{}
	}
	end, count := numberEnd(t.all, at)
	if count > mostCard {
		end, count = firstOfList(t.all, at)
	}
	if count < leastCard || goesOn(t.all, end) {
		return number{}
	}
	return numberIn(t.all[at:end], end)
}

func numberIn(s string, end int) number {
	groups := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' })
	return number{strings.Join(groups, ""), groups, end}
}

// firstOfList returns where the first of several card numbers ends that stand
// behind each other with spaces; 0, 0 if the second one is none.
func firstOfList(s string, at int) (end, count int) {
	const size = len("1234 1234 1234 1234")
	end = at + size
	if len(s) < end+1+size || s[end] != ' ' {
		return 0, 0
	}
	first, second := numberIn(s[at:end], end), numberIn(s[end+1:end+1+size], end+1+size)
	if !first.inFours() || !second.inFours() || !second.issued() || !luhn(second.digits) {
		return 0, 0
	}
	return end, len(first.digits)
}

// inFours reports whether a number has four groups of four digits.
func (n number) inFours() bool {
	for _, g := range n.groups {
		if len(g) != 4 || strings.Trim(g, "0123456789") != "" {
			return false
		}
	}
	return len(n.groups) == 4
}

// beforeMarker reports whether the digits of the number went on before the rest
// was redacted. Else each pass would find the last number of a list that is left.
func (n number) beforeMarker(s string) bool {
	return len(n.groups) > 1 && n.end < len(s) && strings.HasPrefix(s[n.end+1:], markerOpen)
}

// numberEnd returns where the digits end that begin at a position, one sign
// between their groups, and how many they are. It looks no further than one
// digit beyond the longest card.
func numberEnd(s string, at int) (end, count int) {
	var joint byte
	for end = at; end < len(s) && count <= mostCard; end++ {
		if b := s[end]; digit(b) {
			count++
		} else if joint == 0 && b == ' ' && count >= leastCard {
			break // another number begins
		} else if (b == ' ' || b == '-') && (joint == 0 || joint == b) && end+1 < len(s) && digit(s[end+1]) {
			joint = b
		} else {
			break
		}
	}
	return end, count
}

// goesOn reports whether a word or a number continues at position i.
func goesOn(s string, i int) bool {
	if i < len(s) && strings.IndexByte("._-/", s[i]) >= 0 {
		i++
	}
	return i < len(s) && alnum(s[i])
}

// grouped reports whether the digits stand in one piece or as on a card.
func (n number) grouped() bool {
	if len(n.groups) == 1 {
		return true
	}
	var sizes strings.Builder
	for _, g := range n.groups {
		sizes.WriteString(strconv.Itoa(len(g)))
	}
	switch sizes.String() {
	case "4444", "465", "44443", "464", "613":
		return true
	}
	return false
}

// issued reports whether an issuer of cards has numbers of this beginning and
// length; those of 13 and 14 digits are too few to be told from other numbers.
func (n number) issued() bool {
	first4, err := strconv.Atoi(n.digits[:4])
	if err != nil {
		return false
	}
	first2 := first4 / 100
	switch len(n.digits) {
	case 15:
		return first2 == 34 || first2 == 37
	case 16:
		return first4/1000 == 4 || first2 >= 51 && first2 <= 55 || first4 >= 2221 && first4 <= 2720 || first4 == 6011 || first2 == 62 || first2 == 65 || first2 == 35
	}
	return len(n.digits) > 16 && first2 == 62
}

// rising reports whether the groups rather are a list of numbers in order.
func (n number) rising() bool {
	for i := 1; i < len(n.groups); i++ {
		if n.groups[i-1] >= n.groups[i] {
			return false
		}
	}
	return len(n.groups) > 2
}

func luhn(digits string) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

func holdsAny(s string, words []string) bool {
	for _, w := range words {
		if i := strings.Index(s, w); i >= 0 && (w[0] >= 0x80 || i == 0 || !alnum(s[i-1]) || w == "card") {
			return true
		}
	}
	return false
}

// residentID matches the number of a Chinese identity card (GB 11643): region,
// date of birth and a check digit modulo 11.
type residentID struct{}

func (residentID) find(t scanned, at, _ int) span {
	const length = 18
	if at > t.from && (alnum(t.all[at-1]) || t.all[at-1] == '.') || at+length > len(t.all) || goesOn(t.all, at+length) {
		return span{}
	}
	id := t.lower[at : at+length]
	sum := 0
	for i := range length - 1 {
		if !digit(id[i]) {
			return span{}
		}
		weight := 1 << (length - 1 - i) % 11
		sum += int(id[i]-'0') * weight
	}
	if id[length-1] != "10x98765432"[sum%11] || !calendar(id[6:14]) {
		return span{}
	}
	return span{at, at + length}
}

// calendar reports whether eight digits can be a day from 1900 to 2099.
func calendar(s string) bool {
	if len(s) != 8 || s[:2] != "19" && s[:2] != "20" {
		return false
	}
	return s[4:6] >= "01" && s[4:6] <= "12" && s[6:] >= "01" && s[6:] <= "31"
}

// bankAccount matches an IBAN (ISO 13616): country, two check digits, which are
// the anchor, and an account of the length that the country has.
type bankAccount struct{ lengths map[string]int }

func newBankAccount() bankAccount {
	m := bankAccount{lengths: map[string]int{}}
	for _, country := range strings.Fields(`AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29
		ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27
		MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 TL23 TN24 TR26 UA29 VA22 VG24 XK20`) {
		n, err := strconv.Atoi(country[2:])
		if err == nil {
			m.lengths[country[:2]] = n
		}
	}
	return m
}

func (m bankAccount) find(t scanned, at, after int) span {
	start := at - 2
	if start < t.from || !t.bounded(start) || digit(t.all[start]) {
		return span{}
	}
	length := m.lengths[t.all[start:at]]
	if length == 0 {
		return span{}
	}
	account := make([]byte, 0, 34)
	end := after
	for ; end < len(t.all) && len(account) < length-4; end++ {
		b := t.all[end]
		if b == ' ' && end+1 < len(t.all) && t.all[end+1] != ' ' {
			continue
		}
		if !alnum(b) {
			return span{}
		}
		account = append(account, b)
	}
	if len(account) < length-4 || goesOn(t.all, end) || !mod97(string(account)+t.all[start:after]) {
		return span{}
	}
	return span{start, end}
}

// mod97 reports whether digits and letters, these read as 10 to 35, leave 1.
func mod97(s string) bool {
	rest := 0
	for i := range len(s) {
		switch b := s[i]; {
		case digit(b):
			rest = (rest*10 + int(b-'0')) % 97
		case b >= 'A' && b <= 'Z':
			rest = (rest*100 + int(b-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}
