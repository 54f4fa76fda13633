package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// kind is how the text of a setting is read.
type kind string

const (
	kindText     kind = "text"
	kindChoice   kind = "choice"
	kindInteger  kind = "integer"
	kindNumber   kind = "number"
	kindBoolean  kind = "boolean"
	kindDuration kind = "duration"
	kindZone     kind = "time zone"
	kindList     kind = "list" // separated by commas
	kindDate     kind = "date"
	kindTimes    kind = "times" // of a job
)

// setting is one thing that a user can choose: in a config file under its name,
// in the environment as AGENT_MEMORY_NAME with dots as underscores, and with --set.
type setting struct {
	Name    string
	Default string
	Kind    kind
	Choices []string
	Meaning string
}

// The names of the settings.
const (
	setProfile          = "profile"
	setTimeZone         = "time_zone"
	setLanguage         = "language"
	setTrust            = "trust"
	setAgent            = "agent"
	setToolset          = "toolset"
	setDatabase         = "database"
	setLogLevel         = "log_level"
	setProvider         = "embedding.provider"
	setEmbeddingURL     = "embedding.base_url"
	setEmbeddingModel   = "embedding.model"
	setDimension        = "embedding.dimension"
	setRemoteHost       = "embedding.remote_host"
	setQueryPrefix      = "embedding.query_prefix"
	setDocPrefix        = "embedding.document_prefix"
	setKeyFile          = "embedding.api_key_file"
	setEmbedTimeout     = "embedding.timeout"
	setModelURL         = "llm.base_url"
	setModelName        = "llm.model"
	setModelHost        = "llm.remote_host"
	setModelKeyFile     = "llm.api_key_file"
	setModelTimeout     = "llm.timeout"
	setRecallLimit      = "recall.limit"
	setRecallScore      = "recall.min_score"
	setRelatedWords     = "recall.related_words"
	setCaptureSources   = "capture.sources"
	setHookStart        = "hook.start_tokens"
	setHookPrompt       = "hook.prompt_tokens"
	setCaptureSince     = "capture.since"
	setCaptureQuiet     = "capture.quiet"
	setRefine           = "capture.refine"
	setRefineCalls      = "capture.refine_calls"
	setRefineCharacters = "capture.refine_characters"
	setScheduleZone     = "schedule.time_zone"
	schedulePrefix      = "schedule."
	setHTTPTokenFile    = "http.token_file"
	setHTTPHosts        = "http.allow_hosts"
	setHTTPOrigins      = "http.allow_origins"
)

// settings lists every setting; a name that is not here is refused.
func settings() []setting {
	return append(generalSettings(), scheduleSettings()...)
}

func generalSettings() []setting {
	return []setting{
		{Name: setProfile, Default: "openclaw", Kind: kindChoice, Choices: lifecycle.ProfileNames(), Meaning: "which set of policies rules the memories"},
		{Name: setTimeZone, Kind: kindZone, Meaning: "the zone in which days begin; fixed by init"},
		{Name: setLanguage, Default: autoLanguage, Kind: kindChoice, Choices: []string{"en", "zh", autoLanguage}, Meaning: "language of what people read: messages, and headings of the files that we write; auto: that of the workspace's files, else the locale's; init fixes it where one is known"},
		{Name: setTrust, Default: "auto", Kind: kindChoice, Choices: []string{"auto", "user", "agent"}, Meaning: "whom unannotated text in the files is from; auto: agent in an OpenClaw workspace, else user"},
		{Name: setAgent, Kind: kindText, Meaning: "whose memory this process serves, an id of [[agents]]; empty: the main agent's, and others' by their agent_id"},
		{Name: setToolset, Default: "standard", Kind: kindChoice, Choices: []string{"standard", "lineage"}, Meaning: "lineage adds boot, link and snapshot for clients of the original agent-memory"},
		{Name: setDatabase, Kind: kindText, Meaning: "path of the database; empty: in the workspace, or in the user's state directory where the file system cannot hold it"},
		{Name: setLogLevel, Default: "warn", Kind: kindChoice, Choices: []string{"debug", "info", "warn", "error", "off"}, Meaning: "what is logged to standard error"},
		{Name: setProvider, Default: "builtin", Kind: kindChoice, Choices: []string{"builtin", "ollama", "openai", "none"}, Meaning: "who makes the vectors"},
		{Name: setEmbeddingURL, Kind: kindText, Meaning: "address of an Ollama or OpenAI-compatible service"},
		{Name: setEmbeddingModel, Kind: kindText, Meaning: "name of the embedding model"},
		{Name: setRemoteHost, Kind: kindText, Meaning: "the one other host that memories may be sent to for embedding"},
		{Name: setQueryPrefix, Kind: kindText, Meaning: "put before questions, for models trained with one"},
		{Name: setDocPrefix, Kind: kindText, Meaning: "put before memories, for models trained with one"},
		{Name: setDimension, Default: "0", Kind: kindInteger, Meaning: "dimensions asked of the model; 0: its own"},
		{Name: setKeyFile, Kind: kindText, Meaning: "file that holds the key of the service (or AGENT_MEMORY_EMBEDDING_API_KEY)"},
		{Name: setEmbedTimeout, Default: "10s", Kind: kindDuration, Meaning: "how long one call of the service may take"},
		{Name: setModelURL, Kind: kindText, Meaning: "address of an OpenAI-compatible language model, such as http://127.0.0.1:11434/v1, that may shorten lines of summaries; empty: none is used, nothing is sent"},
		{Name: setModelName, Kind: kindText, Meaning: "name of the language model"},
		{Name: setModelHost, Kind: kindText, Meaning: "the one other host that lines of summaries may be sent to"},
		{Name: setModelKeyFile, Kind: kindText, Meaning: "file that holds the key of the language model (or AGENT_MEMORY_LLM_API_KEY)"},
		{Name: setModelTimeout, Default: "60s", Kind: kindDuration, Meaning: "how long one call of the language model may take"},
		{Name: setRecallLimit, Default: "0", Kind: kindInteger, Meaning: "memories in an answer; 0: as the profile says"},
		{Name: setRecallScore, Default: "0", Kind: kindNumber, Meaning: "lowest score of an answer; 0: calibrated"},
		{Name: setRelatedWords, Default: "true", Kind: kindBoolean, Meaning: "find English words by those that mean something near, such as dog for pet"},
		{Name: setHookStart, Default: "2000", Kind: kindInteger, Meaning: "tokens that a hook may put at the start of a conversation"},
		{Name: setHookPrompt, Default: "600", Kind: kindInteger, Meaning: "tokens that a hook may put beside a message"},
		{Name: setCaptureSources, Kind: kindList, Meaning: "whose conversations are captured: openclaw, claude-code, codex, each with or without :FOLDER, or jsonl:FOLDER; empty: none"},
		{Name: setCaptureSince, Kind: kindDate, Meaning: "the day before which nothing said is captured, such as 2026-02-21; empty: all"},
		{Name: setCaptureQuiet, Default: "5m", Kind: kindDuration, Meaning: "after how long a silence a server takes a conversation for ended and captures it; 0: by schedule only"},
		{Name: setRefine, Default: "false", Kind: kindBoolean, Meaning: "have the language model of [llm] shorten, join or leave out what rules found in conversations; the messages that it was found in are sent there, secrets redacted; what you asked to be remembered is never sent"},
		{Name: setRefineCalls, Default: "20", Kind: kindInteger, Meaning: "calls of the language model in one capture"},
		{Name: setRefineCharacters, Default: "50000", Kind: kindInteger, Meaning: "characters of conversations sent to the language model on one day"},
		{Name: setHTTPTokenFile, Kind: kindText, Meaning: "file that holds the bearer token of serve --http"},
		{Name: setHTTPHosts, Kind: kindList, Meaning: "further Host names that serve --http answers to"},
		{Name: setHTTPOrigins, Kind: kindList, Meaning: "browser origins that serve --http answers to"},
	}
}

func findSetting(name string) (setting, bool) {
	for _, s := range settings() {
		if s.Name == name {
			return s, true
		}
	}
	return setting{}, false
}

func settingNames() []string {
	var names []string
	for _, s := range settings() {
		names = append(names, s.Name)
	}
	sort.Strings(names)
	return names
}

// variable is the name of the setting in the environment.
func (s setting) variable() string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(s.Name, ".", "_"))
}

// check reads text the way the setting is used, and refuses what does not fit.
func (s setting) check(text string) error {
	if text == "" {
		return nil
	}
	var err error
	switch s.Kind {
	case kindChoice:
		return s.oneOf(text)
	case kindTimes:
		return checkTimes(text)
	case kindInteger:
		_, err = strconv.ParseUint(text, 10, 31)
	case kindNumber:
		if n, wrong := strconv.ParseFloat(text, 64); wrong != nil || !(n >= 0 && n <= 1) {
			err = strconv.ErrRange
		}
	case kindBoolean:
		_, err = strconv.ParseBool(text)
	case kindDuration:
		if d, wrong := time.ParseDuration(text); wrong != nil || d < 0 {
			err = strconv.ErrRange
		}
	case kindDate:
		_, err = time.Parse(time.DateOnly, text)
	case kindZone:
		_, err = time.LoadLocation(text)
	}
	if err != nil {
		return fmt.Errorf("must be %s", s.Kind.phrase())
	}
	return nil
}

func (k kind) phrase() string {
	return map[kind]string{
		kindInteger: "a whole number, not negative", kindNumber: "a number from 0 to 1", kindBoolean: "true or false",
		kindDuration: "a duration such as 5m or 1h30m", kindDate: "a date such as 2026-02-21", kindZone: "a time zone such as Europe/Berlin",
	}[k]
}

func (s setting) oneOf(text string) error {
	for _, c := range s.Choices {
		if c == text {
			return nil
		}
	}
	return fmt.Errorf("must be one of %s", strings.Join(s.Choices, ", "))
}

// unknownSetting is the answer to a typo.
func unknownSetting(name, where string) error {
	hint := "settings: " + strings.Join(settingNames(), ", ")
	if near := nearest(name, settingNames()); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return memory.Errorf(memory.InvalidArgument, "unknown setting %q (%s)", name, where).WithHint("%s", hint)
}

// nearest returns the candidate with the smallest edit distance to word, if it
// is small enough to be a typo.
func nearest(word string, candidates []string) string {
	best, bestDistance := "", len(word)/3+1
	for _, c := range candidates {
		if d := editDistance(word, c); d <= bestDistance {
			best, bestDistance = c, d-1
		}
	}
	return best
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
