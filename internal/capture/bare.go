package capture

import (
	"strings"

	"agentmemory/internal/text"
)

// bareSecret matches a sentence that only says that something secret is … what
// redaction took out: "my API key is [redacted…]". kept are the words around it.
func newBareSecret() *pattern {
	return newPattern(`^[^,，;；。.!?]*?(?:\bis|\bare|\bwas|'s|=|:|：|是|为|改成了?|换成了?)? ?["“'「]?\[redacted[^\]]*\]["”'」]?[ 。.!！]*$`)
}

// secretWords say what kind of thing a secret is, or belong to any sentence:
// beside them nothing is said.
func secretWords() *pattern {
	return newPattern(`\[redacted[^\]]*\]|\b(?:my|our|the|your|a|an|is|are|was|for|to|of|and|it|its|here|this|that|please|new|old|use|with|remember|api|key|keys|token|tokens|password|passwords|passphrase|pin|secret|secrets|credential|credentials|login|wifi|account|card|number)\b|密码|口令|密钥|秘钥|令牌|凭证|账号|账户|卡号|验证码|记住|我们?|你|这个|那个|就是|是|为|的|和|了|新|用|在`)
}

// bare reports whether nothing worth keeping is left of a text once its secrets
// are taken out.
func (e *Extractor) bare(cleaned string) bool {
	if !strings.Contains(cleaned, "[redacted") {
		return false
	}
	folded := text.Fold(cleaned)
	if e.bareSecret.MatchString(folded) {
		return true
	}
	rest := strings.Trim(e.secretWords.ReplaceAllString(folded, " "), " \t,，.。:：;；!！?？\"'“”=()")
	return len(text.Index(rest)) == 0
}
