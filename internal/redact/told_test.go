package redact_test

import (
	"strings"
	"testing"

	"agentmemory/internal/redact"
)

// told is a secret between what is said before and after it; the marker of its rule
// stands for it.
type told struct{ rule, before, secret, after string }

// What people tell and paste without the word "password" in full.
func TestShortNamesAndCommandsAreRedacted(t *testing.T) {
	checkTold(t, []told{
		{"password", "pass: ", "hunter2", ""},
		{"password", "Pass: ", "Tr0ub4dor&3", ""},
		{"password", "user: bob, pass: ", "hunter2", ""},
		{"password", "user bob pass: ", "sunshine7", " "},
		{"password", "wifi pass: ", "12345678", ""},
		{"password", "pass=", "hunter2", " host=db"},
		{"password", `{"user": "bob", "pass": "`, "hunter2", `"}`},
		{"password", "login --pass ", "hunter2", " -v"},
		{"password", "pw is ", "Blue42sky", ""},
		{"password", "the pw is ", "hunter2", ", keep it"},
		{"password", "wifi pw: ", "Blue42sky", "."},
		{"password", "the pw was ", "hunter2", " 。"},
		{"password", "DB_PASS=", "s3cr3tpw", ""},
		{"password", "DB_PASS=", "correcthorse", ""},
		{"password", "DB_PASS=", "hunter", ""},
		{"password", "DB_PASS='", "hunter", "'"},
		{"password", "export MYSQL_PWD=", "hunter", ""},
		{"password", "MYSQL_PWD=", "hunter2", " mysqldump app"},
		{"password", "db_pass: ", "hunter2", "\n"},
		{"password", "SMTP_PW=", "hunter2", ""},
		{"password", "curl -u bob:", "hunter2", " https://example.org/x"},
		{"password", "curl -u user:", "secret", ""},
		{"password", "run `curl -s --user 'bob:", "open sesame", "' https://example.org` daily"},
		{"password", "curl -X POST -ubob:", "hunter2", " https://example.org"},
		{"password", "sshpass -p ", "secret", ""},
		{"password", "sshpass -p ", "sunshine", " ssh bob@host"},
		{"password", "同步用 sshpass -p ", "hunter2", " rsync -a x y"},
		{"password", "sshpass -p'", "open sesame", "' scp x y"},
		{"password", "mysql -u root -p", "sunshine", " app"},
		{"password", "redis-cli -h db -a ", "hunter2", " ping"},
		{"password", "docker login -u bob -p ", "hunter2", " registry"},
		{"password", "密码：", "sunshine", ""},
		{"password", "密码: ", "correct-horse-battery", ""},
		{"password", "数据库密码是", "sunshine", "，别外传"},
		{"password", "密码是 ", "opensesame", "。"},
		{"password", "口令：", "opensesame", ""},
		{"password", "用户名 admin，密码：", "admin", "。"},
		{"password", "門鎖密碼是「", "open", "」"},
		{"password", "门禁密码 ", "1234", ""},
		{"password", "门禁密码", "1234#", "，进门左转"},
		{"password", "支付密码是", "4711", ""},
		{"password", "支付密码 ", "482915", ""},
		{"password", "锁屏密码 ", "4711", "。"},
		{"password", "行李箱密码：", "0815", ""},
	})
}

func TestNumbersAreRedacted(t *testing.T) {
	checkTold(t, []told{
		{"pin", "PIN ", "4711", ""},
		{"pin", "PIN: ", "4711", " for the door"},
		{"pin", "the PIN is ", "4711", ""},
		{"pin", "my pin is ", "4711", "."},
		{"pin", "PIN for the safe is ", "471108", ""},
		{"pin", "card PIN ", "482915", ""},
		{"pin", "PIN码：", "4711", ""},
		{"pin", "取款 PIN 码是 ", "482915", ""},
		{"pin", "SIM PUK ", "48291537", ""},
		{"payment-card", "card ", "4539 1488 0343 6467", ", exp 04/29"},
		{"payment-card", "pay with ", "4539148803436467", ""},
		{"payment-card", "Mastercard ", "2223-0000-4841-0010", ""},
		{"payment-card", "amex ", "3782 822463 10005", ""},
		{"payment-card", "银行卡", "6222021234567890128", "是工资卡"},
		{"payment-card", "信用卡号：", "6225881234567898", "。"},
		{"id-number", "身份证 ", "11010519491231002X", ""},
		{"id-number", "身份证号是", "440301199003074511", "，别外传"},
		{"id-number", "王敏 ", "11010519491231002x", ""},
		{"iban", "IBAN: ", "DE89 3704 0044 0532 0130 00", "."},
		{"iban", "pay to ", "GB29NWBK60161331926819", ""},
		{"iban", "账户 ", "FR1420041010050500013M02606", "（房租）"},
	})
}

func checkTold(t *testing.T, cases []told) {
	t.Helper()
	r := redact.New()
	for _, c := range cases {
		want := c.before + "[redacted:" + c.rule + "]" + c.after
		if got, _ := r.Secrets(c.before + c.secret + c.after); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		} else if again, _ := r.Secrets(got); again != got {
			t.Errorf("a second pass made %q of %q", again, got)
		}
	}
}

// No prose may be lost: not one of these is touched, alone or amid the others.
func TestInnocentSentencesKeepTheirWords(t *testing.T) {
	r, all := redact.New(), lines(t, "innocent.txt")
	if len(all) < 60 {
		t.Fatalf("%d sentences", len(all))
	}
	for _, line := range append(all, strings.Join(all, "\n")) {
		if got, found := r.Secrets(line); got != line {
			t.Errorf("%q became %q (%v)", line, got, found)
		}
	}
}

// One wrong digit is another number.
func TestCheckDigitsAreChecked(t *testing.T) {
	r := redact.New()
	for _, number := range []string{"card 4539148803436467", "11010519491231002X", "DE89370400440532013000"} {
		if got, _ := r.Secrets(number); got == number {
			t.Errorf("%q was kept", number)
		}
		last := len(number) - 5
		wrong := number[:last] + string('0'+(number[last]-'0'+1)%10) + number[last+1:]
		if got, _ := r.Secrets(wrong); got != wrong {
			t.Errorf("%q became %q", wrong, got)
		}
	}
}

// Cards that stand in a row are each redacted, and a row of other numbers is not.
func TestSeveralCardsInARow(t *testing.T) {
	const marker = "[redacted:payment-card]"
	for _, c := range []struct{ text, want string }{
		{"cards: 4539148803436467 5555555555554444", "cards: " + marker + " " + marker},
		{"cards: 4539 1488 0343 6467 5555 5555 5555 4444", "cards: " + marker + " " + marker},
		{"readings 4539 1488 0343 6467 1203 1302 1107 1201", "readings 4539 1488 0343 6467 1203 1302 1107 1201"},
	} {
		if got, _ := redact.New().Secrets(c.text); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
	}
}
