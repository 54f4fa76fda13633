package redact_test

import (
	"strings"
	"testing"
	"time"

	"agentmemory/internal/redact"
)

// The samples are put together from pieces so that scanners of source code,
// which look for the same shapes, leave this file alone.
const (
	hex32  = "9f86d081884c7d659a2feaa0c55ad015"
	mixed  = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz"
	base40 = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz9Qp2Lk4v"
)

type secretCase struct {
	rule, before, secret, after string
}

func secretCases() []secretCase { return append(tokenCases(), assignedCases()...) }

// tokenCases are secrets known by their own shape.
func tokenCases() []secretCase {
	jwt := "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0." + mixed
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat(base40+"\n", 4) + "-----END RSA " + "PRIVATE KEY-----"
	return []secretCase{
		{"aws-access-key", "key ", "AKIA" + "IOSFODNN7EXAMPLE", " in us-east-1"},
		{"aws-secret-key", "aws_secret_access_key = ", base40, "\nregion = eu"},
		{"google-api-key", "maps: ", "AIza" + "SyA1234567890abcdefghijklmnopqrstuv", "."},
		{"google-oauth", "", "ya29." + mixed, ""},
		{"azure-key", "DefaultEndpointsProtocol=https;AccountKey=", base40 + "abcd==", ";EndpointSuffix=x"},
		{"azure-sas", "https://x.blob.core.windows.net/c?sv=2022&sig=", "aB3%2F" + mixed + "abcde%3D", " end"},
		{"aliyun-key", "阿里云 ", "LTAI" + "5tAbCdEfGhIjKlMn", "，别外传"},
		{"tencent-key", "", "AKID" + mixed[:32], ""},
		{"digitalocean-token", "", "dop_v1_" + hex32 + hex32, ""},
		{"vault-token", "", "hvs." + mixed, ""},
		{"github-token", "用 ", "ghp_" + mixed + "Abc", " 推送"},
		{"github-token", "", "github_pat_" + mixed + "_" + mixed, ""},
		{"gitlab-token", "", "glpat-" + mixed[:20], ""},
		{"npm-token", "//registry.npmjs.org/:_authToken=", "npm_" + mixed + "abc", ""},
		{"pypi-token", "", "pypi-AgE" + "IcHlwaS5vcmc" + mixed + mixed, ""},
		{"docker-token", "", "dckr_pat_" + mixed, ""},
		{"atlassian-token", "", "ATATT3" + "xFfGF0" + mixed + mixed, ""},
		{"anthropic-key", "ANTHROPIC_API_KEY=", "sk-ant-" + "api03-" + mixed, ""},
		{"openai-key", "export OPENAI_API_KEY=", "sk-proj-" + mixed, ""},
		{"openai-key", "", "sk-" + mixed, ""},
		{"huggingface-token", "", "hf_" + mixed, ""},
		{"model-key", "", "gsk_" + mixed, ""},
		{"slack-token", "", "xoxb-" + "123456789012-abcdef", ""},
		{"slack-webhook", "https://hooks.slack.com/services/", "T00000000/B00000000/" + mixed[:24], ""},
		{"discord-webhook", "https://discord.com/api/webhooks/", "123456789012345678/" + mixed + mixed, ""},
		{"discord-token", "", "MTIz" + "NDU2Nzg5MDEyMzQ1Njc4.GabCde." + mixed, ""},
		{"telegram-token", "bot ", "123456789:AA" + mixed, " ok"},
		{"feishu-webhook", "https://open.feishu.cn/open-apis/bot/v2/hook/", "3f2c1b0a-9d8e-4f7a-8b6c-5d4e3f2a1b0c", ""},
		{"stripe-key", "", "sk_live_" + mixed, ""},
		{"twilio-key", "", "SK" + hex32, ""},
		{"sendgrid-key", "", "SG." + mixed[:22] + "." + mixed + "abcdefghij", ""},
		{"mailgun-key", "", "key-" + hex32, ""},
		{"shopify-token", "", "shpat_" + hex32, ""},
		{"square-token", "", "sq0atp-" + mixed[:22], ""},
		{"notion-token", "", "ntn_" + mixed + "abcdefghij", ""},
		{"service-token", "", "glsa_" + mixed, ""},
		{"private-key", "my key:\n", pem, "\nkeep it"},
		{"private-key", "", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + strings.Repeat(base40+"\n", 4), "and then prose"},
		{"age-key", "AGE-SECRET-KEY-1", strings.ToUpper(mixed + mixed), ""},
		{"jwt", "cookie ", jwt, "; path"},
		{"database-url", "postgres://app:", "s3cr3t-pw", "@db.internal:5432/app"},
		{"database-url", "mongodb+srv://u:", "hunter2", "@cluster0.example.net"},
		{"basic-auth-url", "git clone https://bob:", "hunter2", "@git.example.org/x.git"},
		{"authorization", "Authorization: Bearer ", mixed, ""},
	}
}

// assignedCases are secrets known only by the name that they are given to.
func assignedCases() []secretCase {
	return []secretCase{
		{"password", "password=", "hunter2", ""},
		{"password", `{"password": "`, "correct horse"[:7], `"}`},
		{"password", "DB_PASSWORD='", "p@ss w"[:4] + "word9", "'"},
		{"password", "my wifi password is ", "Blue42sky", ", thanks"},
		{"password", "mysql --password ", "abc12345", " -h x"},
		{"password", "**Password:** ", "tr0ub4dor&3", ""},
		{"password", "<password>", "tr0ub4dor3", "</password>"},
		{"password", "密码是", "abc123456", "，别告诉别人"},
		{"password", "服务器密码：", "Qwer!234", "。"},
		{"password", "新口令改成 ", "Tiger2024", " 了"},
		{"password", "密碼設定為", "abc123456", "喔"},
		{"password", "Server=x;User Id=sa;Pwd=", "Str0ng!", ";Encrypt=yes"},
		{"secret", "api_key: ", "f3a9c1d27be84e60", ""},
		{"secret", `"clientSecret" : "`, "a8F3kQ92mZx7Lp04", `",`},
		{"secret", "密钥：", "a8F3kQ92mZx7Lp04", ""},
		{"secret", "访问令牌是 ", "a8F3kQ92mZx7Lp04", " 。"},
		{"secret", "deploy --token ", "a8F3kQ92mZx7Lp04", " now"},
	}
}

func TestSecretsAreReplacedByTheNameOfTheirRule(t *testing.T) {
	r := redact.New()
	for _, c := range secretCases() {
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
	for _, c := range secretCases() {
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
	for _, c := range secretCases() {
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
		if eighth := fastest(3, func() { r.Clean(part) }); d > 24*eighth {
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
		"sk-", "sk-a", "password=", "password", "密码是", "://", "a://b", "a://b:c@", "eyJ", "eyJa.", "eyJaaaaaaaaaaaaaaaaaaaa.", "eyJ-", "eyJ=.",
		"-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\naaaaaaaaaaaaaaaaaaaaaaaa\n", "0123456789:AA", ":AA", "MTMTMTMT",
		"AKIA", "--password ", "\x1b[", "\x1b[0;", "e\u0301", "\u0301", "\U000E0041", "\u200d", "👩\u200d", "\xff", "\r", "<!--", "ignore ", "ignore previous ",
		"忽略", "忽略以上", "system:", "i g n o r e ", "[redacted:", "token=aB3dE5fG7hJ9 ", "The quick brown fox. ", "今天天气很好，我们去公园散步。",
	}
}
