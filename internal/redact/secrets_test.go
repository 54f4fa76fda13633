package redact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/redact"
)

type secretCase struct {
	rule, before, secret, after string
}

// secretCases are kept in pieces, so that scanners of source code, which look
// for the same shapes, leave the file alone. bench/promises says them, too.
func secretCases(t testing.TB) (all []secretCase) {
	t.Helper()
	for _, line := range lines(t, "secrets.jsonl") {
		var c struct {
			Rule, Before, After string
			Secret              []string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, secretCase{c.Rule, c.Before, strings.Join(c.Secret, ""), c.After})
	}
	return all
}

func TestSecretsAreReplacedByTheNameOfTheirRule(t *testing.T) {
	r := redact.New()
	for _, c := range secretCases(t) {
		in := c.before + c.secret + c.after
		want := c.before + "[redacted:" + c.rule + "]" + c.after
		if c.rule == "age-key" || c.rule == "private-key" {
			want = "" // judged by what must be gone
		}
		got, found := r.Secrets(in)
		if want != "" && got != want {
			t.Errorf("%s\n in   %q\n got  %q\n want %q", c.rule, in, got, want)
		}
		if strings.Contains(got, c.secret) || len(found) != 1 || found[0].Rule != c.rule {
			t.Errorf("%s: %q left %q, findings %v", c.rule, in, got, found)
			continue
		}
		if !strings.HasPrefix(got[found[0].Offset:], "[redacted:") {
			t.Errorf("%s: offset %d is not at a marker in %q", c.rule, found[0].Offset, got)
		}
	}
}

func TestOrdinaryTextKeepsItsWords(t *testing.T) {
	r := redact.New()
	for _, s := range []string{
		"The password is required and must have 12 characters.",
		"password: string", `"password": "required"`, "Password: 8-16 characters", "password policy changed on 2026-01-02",
		"password: 2026-01-02", "reset your password!", "密码是必填项", "密码长度至少 8 位", "密码是 string 类型", "忘记密码了怎么办",
		"the password for the wiki is rotated every 90 days", "The password of the admin is stored in 1Password", "the password for ssh is an ed25519 key",
		"password for the API: see vault", "密码 12 位以上", "密码 SHA256 加盐", "密码 AES256 加密", "密码「必填」", "密码2026年改过", "口令 20260305 起失效", "密码 k8s-secret-1",
		"max_tokens=4096", "token_count: 1200", "tokens: 128000", "token: string", "the secret is patience",
		"secret: prod-db-credentials-2", "secret: /var/run/secrets/kubernetes.io/token", "api_key: ${OPENAI_API_KEY}",
		"api_key=os.environ['KEY']", "password = getPassword()", "password=$DB_PASSWORD", "password: ********", "password: <your password>",
		"login(user=user, password=password)", "sk-learn pipelines and sk-proj naming", "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
		"id 3f2c1b0a-9d8e-4f7a-8b6c-5d4e3f2a1b0c", "sha256:9f86d081884c7d659a2feaa0c55ad015", "https://example.org/a:b@c", "see http://example.org:8080/x",
		"task-queue-worker-service-deployment", "令牌桶算法是限流用的", "私钥要放在 HSM 里", "这个 token 是 128k 的", "email bob@example.org",
		"secret santa: bring a gift", "AKIA is the prefix of AWS keys", "ghp_ tokens are classic tokens", "-----BEGIN CERTIFICATE-----\nabc",
	} {
		if got, found := r.Secrets(s); got != s {
			t.Errorf("%q became %q (%v)", s, got, found)
		}
	}
}

func TestSecondPassChangesNothing(t *testing.T) {
	r := redact.New()
	var all strings.Builder
	for _, c := range secretCases(t) {
		all.WriteString(c.before + c.secret + c.after + " ")
	}
	once, _ := r.Secrets(all.String())
	twice, found := r.Secrets(once)
	if once != twice || len(found) != 0 {
		t.Errorf("second pass found %v in\n%s", found, once)
	}
}

func TestRulesAreAtLeastTwentyFive(t *testing.T) {
	r, seen := redact.New(), map[string]bool{}
	for _, c := range secretCases(t) {
		_, found := r.Secrets(c.before + c.secret + c.after)
		for _, f := range found {
			seen[f.Rule] = true
		}
	}
	if len(seen) < 25 {
		t.Errorf("%d rules found something", len(seen))
	}
}

// Text made to hurt costs no more per byte than other text; the benchmark says
// how little. What this must catch is a cost that grows with the square of the
// length: on a busy machine, where the limit says little, an eighth of the text
// then costs a 64th instead of an eighth.
func TestCleanIsLinearOnHostileInput(t *testing.T) {
	r := redact.New()
	for _, piece := range hostilePieces() {
		text := strings.Repeat(piece, 1<<18/len(piece))
		d := fastest(2, func() { r.Clean(text) })
		if d <= 250*time.Millisecond*slowdown {
			continue
		}
		part := strings.Repeat(piece, 1<<15/len(piece))
		eighth := fastest(3, func() { r.Clean(part) })
		for try := 0; d > 24*eighth && try < 4; try++ { // others may have had the processor
			d = min(d, fastest(2, func() { r.Clean(text) }))
		}
		if d > 24*eighth {
			t.Errorf("256 KB of %.40q took %v, 32 KB %v", piece, d, eighth)
		}
	}
}

func fastest(runs int, f func()) time.Duration {
	best := time.Hour
	for range runs {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

func hostilePieces() []string {
	return []string{
		"sk-", "sk-a", "password=", "password", "密码是", "密码 ", "password for ", "://", "a://b", "a://b:c@", "eyJ", "eyJa.", "eyJaaaaaaaaaaaaaaaaaaaa.", "eyJ-", "eyJ=.",
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\naaaaaaaaaaaaaaaaaaaaaaaa\n", "0123456789:AA", ":AA", "MTMTMTMT",
		"pass: ", "pass=a", "pw is ", "密码：a", "密码 1", "curl -u a:", "curl ", "mysql -p", "4111", "4111 ", "4539148803436467 ", "4539 1488 0343 6467 ", "3782 822463 10005 ", "4539-1488-0343-6467 ", "11010519491231002X", "DE89 ", "PIN ", "pin is 4711 ",
		"AKIA", "--password ", "\x1b[", "\x1b[0;", "e\u0301", "\u0301", "\U000E0041", "\u200d", "👩\u200d", "\xff", "\r", "<!--", "ignore ", "ignore previous ",
		"忽略", "忽略以上", "system:", "i g n o r e ", "[redacted:", "token=aB3dE5fG7hJ9 ", "The quick brown fox. ", "今天天气很好，我们去公园散步。",
	}
}
