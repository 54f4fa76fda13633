package capture

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
	"agentmemory/internal/text"
)

// Options choose what an Extractor takes.
type Options struct {
	Classes []Class // none: all
	// Corrections are found, too, in what is of none of the classes.
	Corrections bool
	Redactor    *redact.Redactor
	// Own are the sentences with which agent-memory begins what it puts beside
	// a message: from there on nothing is captured, it is remembered already.
	Own []string
	// Said keeps with each thing found the messages that it was taken from.
	Said bool
}

// Extractor finds in messages what is worth remembering, by rules: no model is
// asked. It prefers to miss something over keeping what nobody meant to be kept.
// It is safe for concurrent use; each conversation needs its own Listener.
type Extractor struct {
	rules    []rule
	language *language
	said     said
	redactor *redact.Redactor
	keepSaid bool
	// lastResort: a correction is one only if it is nothing else.
	lastResort bool
	lead       []*pattern // words of the request itself, cut off what is kept
	pronoun    *pattern   // a request that refers to what was said before
	denial     *pattern   // "no": what follows in the next sentence is the correction
	affirm     *pattern   // a user's yes to a proposal
	propose    *pattern   // an assistant's proposal
	// bareSecret and secretWords tell whether a secret was all that was said.
	bareSecret, secretWords *pattern
}

// NewExtractor compiles the rules; build one and share it.
func NewExtractor(o Options) *Extractor {
	e := &Extractor{
		language: newLanguage(), said: newSaid(o.Own), redactor: o.Redactor, keepSaid: o.Said,
		lead: patterns(
			`^(?:[^:：,，]{0,6}?)(?:记住|記住|记下来?|記下來?|记录一下|記錄一下|记一下|記一下|记好|記好|记着|記著|切记|切記)(?:了|哦|啊|呀|哈)?[，,：:。!！、 ]*`,
			`^.{0,4}(?:存进|写进|加到|记到|保存到|写入|存進|寫進)(?:你的)?(?:记忆|记忆里|備忘|备忘录|記憶)[里裡]?[，,：: ]*`,
			`(?i)^(?:(?:please|pls|hey|ok|okay|so|and|also|just|can you|could you|will you|you should)[ ,]+)*(?:remember|note|make a note|keep in mind|memori[sz]e|save|jot down|for the record|for future reference|don['’]t forget)(?: that| this(?: for later)?| down)?[ ,:—-]+`,
			`(?i)^(?:i want you to|i['’]d like you to|you should|you need to|make sure (?:to|you)) (?:remember|note|keep in mind)(?: that)? `,
			`^(?:请|請|你)?(?:要|一定要?|务必|務必|千万要?|千萬要?)记?記?得[，,：: ]?`,
			`(?i)[，,。. ]*(?:(?:please )?remember (?:this|that|it)|记住这个|記住這個|记下这个)[。.!！]*$`,
		),
		pronoun:    newPattern(`^(?:记住|记下|记一下|请记住|帮我记住|帮我记一下|remember|please remember|note|save)?(?:这个|这一点|这点|这件事|它|一下| ?this| ?that| ?it)?$`),
		denial:     newPattern(`^(?:不对|不是|不是的|错了|你?搞错了|你?弄错了|no|nope|wrong|that(?:'s| is) (?:wrong|not right|incorrect)|not quite|incorrect)$`),
		affirm:     newPattern(`^(?:好的?|好啊|行|可以|同意|没问题|就这样|就这么办|就这么定|就按这个来|按你说的|ok|okay|yes|yep|agreed|sounds good|perfect|do it|go ahead|deal|let's do that|let's do it|go with that)(?:[,， ]+(?:就这样|就这么办|就这么定|就按这个来|按你说的(?:办|做|来)?|do it|go ahead|let's do that|let's do it|go with that|let's go with that))?$|^(?:就这么办|就这么定|就按这个来|按你说的(?:办|做|来)|let's go with that|go with that)$`),
		bareSecret: newBareSecret(), secretWords: secretWords(),
		propose: newPattern(`^(?:我)?(?:建议|推荐|提议)|^i(?:'d)? (?:suggest|recommend|propose)\b`),
	}
	for _, r := range allRules() {
		if len(o.Classes) == 0 || slices.Contains(o.Classes, r.class) {
			e.rules = append(e.rules, r)
		}
	}
	if o.Corrections && !e.takes(Correction) {
		e.rules = append(e.rules, correctionRule())
		e.lastResort = true
	}
	return e
}

const (
	maxEchoes     = 24      // tool results that are kept to recognise their words
	maxEchoBytes  = 8 << 10 // of each
	minEcho       = 12      // characters that count as a quotation
	maxOwnMessage = 4000    // characters; a longer one was pasted, not typed
	maxAnswer     = 80      // bytes of an answer that only says yes
)

// Listener follows one conversation, in order.
type Listener struct {
	e        *Extractor
	echoes   []echo   // recent tool results and injected context
	previous *Message // the last thing said that could be referred to
	proposal *proposal
}

// proposal is what the assistant suggested last.
type proposal struct {
	text   string
	number int64
}

// Listen begins a conversation.
func (e *Extractor) Listen() *Listener { return &Listener{e: e} }

// Hear takes the next message and returns what is worth remembering of it.
func (l *Listener) Hear(m Message) []Found {
	m, removed := l.e.said.settle(m)
	l.echo(removed)
	switch {
	case m.Nature == Tool || m.Nature == Injected || m.Nature == Summary:
		l.echo(m.Text)
		return nil
	case m.Nature != Spoken:
		return nil
	}
	if utf8.RuneCountInString(m.Text) > maxOwnMessage {
		l.previous, l.proposal = nil, nil
		return nil
	}
	sentences := l.e.language.sentences(m.Text)
	found := l.sentences(m, sentences)
	if len(found) > 0 && l.e.language.void(m.Text) {
		found = nil
	}
	if m.Role == User {
		found = append(found, l.confirmed(m)...)
	}
	if l.e.keepSaid {
		l.quote(found, m)
	}
	l.remember(m, sentences)
	return found
}

// quote adds to what was found in a message that message, and the one before it
// if it was taken from both.
func (l *Listener) quote(found []Found, m Message) {
	for i := range found {
		for _, from := range []*Message{l.previous, &m} {
			if from != nil && from.Number >= found[i].First && from.Number <= found[i].Last {
				found[i].Said = append(found[i].Said, Said{from.Number, from.Role, quoted(l.e.redactor, from.Text)})
			}
		}
	}
}

// echo keeps words that were put into the conversation, so that their
// repetition is not taken for something new.
func (l *Listener) echo(words string) {
	if words == "" {
		return
	}
	l.echoes = append(l.echoes, echo{raw: clip(words, maxEchoBytes)})
	if len(l.echoes) > maxEchoes {
		l.echoes = l.echoes[1:]
	}
}

// echo is words that nobody said. They are folded when they are first compared.
type echo struct{ raw, folded string }

func (l *Listener) echoed(s sentence) bool {
	if utf8.RuneCountInString(s.folded) < minEcho {
		return false
	}
	for i := range l.echoes {
		e := &l.echoes[i]
		if e.folded == "" {
			e.folded = text.Fold(e.raw)
		}
		if strings.Contains(e.folded, s.folded) {
			return true
		}
	}
	return false
}

// remember keeps what the next message may refer to.
func (l *Listener) remember(m Message, sentences []sentence) {
	l.previous = &m
	if m.Role != Assistant {
		return
	}
	l.proposal = nil
	proposals := 0
	for _, s := range sentences {
		if l.e.propose.MatchString(s.folded) && !s.question() && !s.technical() {
			l.proposal = &proposal{s.text, m.Number}
			proposals++
		}
	}
	if proposals != 1 {
		l.proposal = nil // nothing, or no telling which was meant
	}
}

// confirmed returns the assistant's proposal that the user agreed to.
func (l *Listener) confirmed(m Message) []Found {
	p := l.proposal
	l.proposal = nil
	answer := strings.Trim(text.Fold(clip(m.Text, maxAnswer+1)), " .。!~\n")
	if p == nil || len(m.Text) > maxAnswer || !l.e.takes(Decision) || !l.e.affirm.MatchString(answer) {
		return nil
	}
	f := Found{Class: Decision, Text: p.text, Role: Assistant, At: m.At, First: p.number, Last: m.Number, MessageID: m.ID, Confidence: 0.7, Trust: memory.TrustAgent}
	return l.e.finish(f)
}

func (e *Extractor) takes(c Class) bool {
	return slices.ContainsFunc(e.rules, func(r rule) bool { return r.class == c })
}

func (l *Listener) sentences(m Message, sentences []sentence) []Found {
	var found []Found
	denied := false
	for i, s := range sentences {
		f, ok := l.sentence(m, sentences, i, denied)
		denied = l.e.denial.MatchString(s.folded)
		if ok {
			found = append(found, l.e.finish(f)...)
		}
	}
	return found
}

// sentence judges one sentence; denied says that the one before said no.
func (l *Listener) sentence(m Message, sentences []sentence, i int, denied bool) (Found, bool) {
	s := sentences[i]
	f := Found{Text: s.text, Role: m.Role, At: m.At, First: m.Number, Last: m.Number, MessageID: m.ID, Trust: memory.TrustUser}
	if m.Role == Assistant {
		f.Trust = memory.TrustAgent
	}
	corrects := denied && m.Role == User && l.e.takes(Correction) && !s.question() && !s.technical()
	if corrects && !l.e.lastResort {
		f.Class, f.Confidence = Correction, 0.8
		return f, !l.echoed(s) && !l.e.language.uncertain(s)
	}
	for _, r := range l.e.rules {
		if m.Role == Assistant && !r.assistant || !r.matches(s) || !r.evenUnsure && l.e.language.uncertain(s) {
			continue
		}
		f.Class, f.Confidence = r.class, r.confidence
		if m.Role == Assistant {
			f.Confidence -= 0.1
		}
		if l.echoed(s) {
			return f, false
		}
		if r.class == Remember {
			return l.requested(f, sentences, i)
		}
		return f, true
	}
	f.Class, f.Confidence = Correction, 0.8
	return f, corrects && !l.echoed(s) && !l.e.language.uncertain(s)
}

// requested completes what the user asked to be remembered: the rest of the
// sentence, or, for "remember this", what was said before or comes next.
func (l *Listener) requested(f Found, sentences []sentence, i int) (Found, bool) {
	if l.e.language.reports.MatchString(sentences[i].folded) && strings.ContainsAny(f.Text, "“”「」\"") {
		return f, false
	}
	rest := f.Text
	for _, lead := range l.e.lead {
		rest = strings.TrimSpace(lead.ReplaceAllString(rest, ""))
	}
	if strings.HasPrefix(rest, "[") && strings.HasSuffix(strings.TrimSuffix(f.Text, rest), "!") {
		rest = "!" + rest // the mark of a picture, which a host would fetch, is no punctuation
	}
	folded := strings.TrimRight(text.Fold(rest), " .。!:,")
	if !l.e.pronoun.MatchString(folded) {
		f.Text = rest
		return f, utf8.RuneCountInString(rest) >= minSentence
	}
	switch {
	case i > 0 && !sentences[i-1].technical():
		f.Text = sentences[i-1].text
	case i+1 < len(sentences) && !sentences[i+1].technical():
		f.Text = sentences[i+1].text
	case l.previous != nil && utf8.RuneCountInString(l.previous.Text) <= maxSentence:
		f.Text, f.First = l.previous.Text, l.previous.Number
		if l.previous.Role == Assistant {
			f.Trust, f.Role = memory.TrustAgent, Assistant
		}
	default:
		return f, false
	}
	return f, true
}

// finish cleans what was found and says why it must be quarantined, if it must.
func (e *Extractor) finish(f Found) []Found {
	cleaned := e.redactor.Clean(f.Text)
	f.Text = strings.TrimSpace(cleaned.Text)
	for _, r := range cleaned.Reasons {
		f.Reasons = append(f.Reasons, r.Rule)
	}
	if utf8.RuneCountInString(f.Text) < minSentence || e.bare(f.Text) {
		return nil
	}
	return []Found{f}
}
