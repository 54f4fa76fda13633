package redact

// secretRules lists the classes of secrets. Within one anchor the first rule
// that matches wins, so longer prefixes stand before shorter ones and named
// vendors before generic assignments.
func secretRules() []secretRule {
	words := newVocabulary()
	return rulesOf(cloudRules(words), codeHostRules(), modelRules(), messengerRules(), serviceRules(), structureRules(words), commandRules(words), assignmentRules(words), numberRules(words))
}

func wordSet() *charset   { return newCharset("A-Z", "a-z", "0-9", "_-") }
func alnumSet() *charset  { return newCharset("A-Z", "a-z", "0-9") }
func hexSet() *charset    { return newCharset("a-f", "0-9") }
func base64Set() *charset { return newCharset("A-Z", "a-z", "0-9", "+/=_-") }

// prefixed makes one rule of several prefixes whose tails are alike.
func prefixed(name string, tail token, prefixes ...string) []secretRule {
	var rules []secretRule
	for _, p := range prefixes {
		t := tail
		t.prefix = p
		rules = append(rules, secretRule{name: name, anchors: []string{lowerASCII(p)}, match: t})
	}
	return rules
}

func rulesOf(groups ...[]secretRule) []secretRule {
	var all []secretRule
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func cloudRules(words *vocabulary) []secretRule {
	upper := newCharset("A-Z", "0-9")
	return rulesOf(
		prefixed("aws-access-key", token{set: upper, least: 16, most: 16}, "AKIA", "ASIA", "ABIA", "ACCA"),
		[]secretRule{{"aws-secret-key", []string{"aws_secret_access_key", "secretaccesskey", "aws_secret_key", "aws_session_token", "sessiontoken"},
			following{set: base64Set(), least: 40, separated: words, entropy: 3.5}}},
		prefixed("google-api-key", token{set: wordSet(), least: 35, most: 35}, "AIza"),
		prefixed("google-oauth", token{set: wordSet(), least: 20}, "ya29.", "GOCSPX-", "1//0"),
		[]secretRule{{"azure-key", []string{"accountkey=", "sharedaccesskey=", "sharedaccesssignature="}, following{set: base64Set(), least: 32, entropy: 3.5}}},
		[]secretRule{{"azure-sas", []string{"&sig=", "?sig="}, following{set: newCharset("A-Z", "a-z", "0-9", "%+/=_-"), least: 40, entropy: 3.5}}},
		prefixed("aliyun-key", token{set: alnumSet(), least: 12, most: 26}, "LTAI"),
		prefixed("tencent-key", token{set: alnumSet(), least: 28, most: 36}, "AKID"),
		prefixed("digitalocean-token", token{set: hexSet(), least: 64, most: 64}, "dop_v1_", "doo_v1_", "dor_v1_"),
		prefixed("vault-token", token{set: wordSet(), least: 24}, "hvs.", "hvb."),
	)
}

func codeHostRules() []secretRule {
	return rulesOf(
		prefixed("github-token", token{set: newCharset("A-Z", "a-z", "0-9", "_"), least: 36}, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
		prefixed("gitlab-token", token{set: wordSet(), least: 20}, "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-"),
		prefixed("npm-token", token{set: alnumSet(), least: 36, most: 36}, "npm_"),
		prefixed("pypi-token", token{set: wordSet(), least: 50}, "pypi-AgE"),
		prefixed("docker-token", token{set: wordSet(), least: 27}, "dckr_pat_"),
		prefixed("atlassian-token", token{set: base64Set(), least: 60}, "ATATT3"),
	)
}

func modelRules() []secretRule {
	return rulesOf(
		prefixed("anthropic-key", token{set: wordSet(), least: 20}, "sk-ant-"),
		prefixed("openai-key", token{set: wordSet(), least: 20}, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"),
		prefixed("openai-key", token{set: wordSet(), least: 20, entropy: 3.5}, "sk-"),
		prefixed("huggingface-token", token{set: alnumSet(), least: 30}, "hf_"),
		prefixed("model-key", token{set: wordSet(), least: 32}, "gsk_", "xai-", "pplx-", "r8_", "nvapi-"),
	)
}

func messengerRules() []secretRule {
	return rulesOf(
		prefixed("slack-token", token{set: newCharset("A-Z", "a-z", "0-9", "-"), least: 10}, "xoxb-", "xoxp-", "xoxa-", "xoxs-", "xoxr-", "xoxe-", "xoxe.xoxp-", "xapp-"),
		[]secretRule{
			{"slack-webhook", []string{"hooks.slack.com/services/", "hooks.slack.com/workflows/"}, following{set: newCharset("A-Z", "a-z", "0-9", "/"), least: 30}},
			{"discord-webhook", []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, following{set: newCharset("A-Z", "a-z", "0-9", "/_-"), least: 60}},
			{"telegram-token", []string{":aa"}, numbered{least: 8, most: 10, set: wordSet(), tail: 33}},
			{"feishu-webhook", []string{"/open-apis/bot/v2/hook/", "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", "oapi.dingtalk.com/robot/send?access_token="}, following{set: wordSet(), least: 30}},
		},
		discordRules(),
	)
}

// discordRules start from the ten ways in which base 64 begins a number, which
// is what the first part of a bot token is.
func discordRules() []secretRule {
	var rules []secretRule
	for _, p := range []string{"MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		rules = append(rules, secretRule{"discord-token", []string{lowerASCII(p)}, dotted{prefix: p, set: wordSet(), parts: []int{22, 6, 27}}})
	}
	return rules
}

func serviceRules() []secretRule {
	return rulesOf(
		prefixed("stripe-key", token{set: alnumSet(), least: 16}, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
		prefixed("twilio-key", token{set: hexSet(), least: 32, most: 32}, "SK"),
		[]secretRule{{"sendgrid-key", []string{"sg."}, dotted{prefix: "SG.", set: wordSet(), parts: []int{2, 20, 40}}}},
		prefixed("mailgun-key", token{set: hexSet(), least: 32}, "key-"),
		prefixed("shopify-token", token{set: newCharset("a-f", "A-F", "0-9"), least: 32}, "shpat_", "shpca_", "shppa_", "shpss_"),
		prefixed("square-token", token{set: wordSet(), least: 22}, "sq0atp-", "sq0csp-"),
		prefixed("notion-token", token{set: alnumSet(), least: 40}, "ntn_", "secret_"),
		prefixed("service-token", token{set: wordSet(), least: 32}, "lin_api_", "NRAK-", "PMAK-", "dp.pt.", "glsa_", "figd_", "dapi", "sntrys_", "rubygems_", "pat-na1-"),
	)
}

func structureRules(words *vocabulary) []secretRule {
	databases := []string{"postgres", "postgresql", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss", "amqp", "amqps", "mssql", "sqlserver", "clickhouse", "nats"}
	return []secretRule{
		{"private-key", []string{"-----begin "}, keyBlock{newCharset("A-Z", "a-z", "0-9", "+/=")}},
		{"age-key", []string{"age-secret-key-1"}, following{set: alnumSet(), least: 50}},
		{"jwt", []string{"eyj"}, dotted{prefix: "eyJ", set: base64Set(), parts: []int{16, 16, 16}}},
		{"database-url", []string{"://"}, userInfo{databases, words}},
		{"basic-auth-url", []string{"://"}, userInfo{nil, words}},
		{"authorization", []string{"bearer ", "authorization: basic ", "authorization: token "}, following{set: newCharset("A-Z", "a-z", "0-9", "+/=_-.~"), least: 16, entropy: 3.25}},
	}
}

func assignmentRules(words *vocabulary) []secretRule {
	return []secretRule{
		{"password", []string{"password", "passwd", "passwort", "pwd", "passphrase", "passcode", "密码", "密碼", "口令", "パスワード"}, assignment{true, words}},
		{"secret", []string{"api_key", "apikey", "api-key", "api key", "secret_key", "secretkey", "secret-key", "secret key", "access_key", "accesskey", "access-key", "access key",
			"private_key", "privatekey", "client_secret", "clientsecret", "secret", "token", "credential",
			"密钥", "密鑰", "秘钥", "令牌", "私钥", "私鑰", "授权码", "授權碼", "凭证", "憑證"}, assignment{false, words}},
		{"password", []string{"pass", "pw"}, newBrief(words)},
	}
}

// commandRules come before assignments: a command line is known exactly.
func commandRules(words *vocabulary) []secretRule {
	return []secretRule{
		{"password", []string{"curl "}, commandFlag{words: words, flags: []string{" -u", " --user"}, pair: true, attached: true, separate: true}},
		{"password", []string{"sshpass "}, commandFlag{words: words, flags: []string{" -p"}, attached: true, separate: true}},
		{"password", []string{"mysql ", "mysqldump ", "mysqladmin ", "mariadb "}, commandFlag{words: words, flags: []string{" -p"}, attached: true}},
		{"password", []string{"redis-cli "}, commandFlag{words: words, flags: []string{" -a"}, separate: true}},
		{"password", []string{"docker login "}, commandFlag{words: words, flags: []string{" -p"}, separate: true}},
	}
}

func numberRules(words *vocabulary) []secretRule {
	return []secretRule{
		{"pin", []string{"pin", "puk"}, pin{words, []string{"my ", "our ", "card", "sim", "bank", "phone", "door", "alarm", "safe"}}},
		{"id-number", pairs([2]int{11, 15}, [2]int{21, 23}, [2]int{31, 37}, [2]int{41, 46}, [2]int{50, 54}, [2]int{61, 65}, [2]int{71, 71}, [2]int{81, 83}), residentID{}},
		{"payment-card", pairs([2]int{22, 27}, [2]int{30, 39}, [2]int{40, 65}), newPaymentCard()},
		{"iban", pairs([2]int{2, 98}), newBankAccount()},
	}
}
