package lifecycle

import "strings"

// valueKind says of what a value is one: two of a kind exclude each other where
// there is one at a time, two of different kinds do not. "" if nothing tells.
type valueKind string

const (
	ofTime   valueKind = "time"
	ofNumber valueKind = "number"
)

// kindOf returns the kind of a value. Numbers of different units are of
// different kinds.
func kindOf(value []token) valueKind {
	for i, t := range value {
		if partOfTime(t) || daypartAt(value[i:]) > 0 || weekdayAt(value[i:]) > 0 {
			return ofTime
		}
	}
	for i, t := range value {
		if t.kind == number {
			unit, _ := unitAt(value[i+1:])
			return ofNumber + valueKind(" "+unit)
		}
	}
	return thingKind(strings.ReplaceAll(join(value), " ", ""))
}

// thingKind knows the things of which people most often say that they took
// another one. What is not in the list is of no known kind.
func thingKind(said string) valueKind {
	said = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(said, "的"), "色"))
	for _, known := range [...]struct {
		kind  valueKind
		names string
	}{
		{"colour", " red blue green yellow black white grey gray purple orange pink brown silver gold beige 红 蓝 绿 黄 黑 白 灰 紫 橙 粉 棕 银 金 红白 深蓝 浅蓝 深灰 浅灰 米 "},
		{"theme", " dark light darkmode lightmode darkthemes lightthemes darktheme lighttheme 深 浅 深色模式 浅色模式 深色主题 浅色主题 "},
		{"indentation", " tab tabs space spaces 制表符 空格 "},
		{"drink", " tea coffee greentea blacktea 茶 咖啡 绿茶 红茶 奶茶 "},
		{"database", " sqlite postgres postgresql mysql mariadb oracle mongodb mongo duckdb dynamodb cockroachdb cassandra clickhouse sqlserver tidb 达梦 "},
		{"cache", " redis memcached valkey "},
		{"queue", " kafka rabbitmq nats pulsar rocketmq "},
		{"editor", " vim neovim emacs vscode helix nano sublime zed intellij goland pycharm notepad cursor "},
		{"operating system", " linux windows macos ubuntu debian fedora arch freebsd android ios nixos centos "},
		{"programming language", " go golang rust python java kotlin swift typescript javascript ruby php scala elixir haskell zig c c++ c# "},
		{"cloud", " aws azure gcp googlecloud hetzner digitalocean linode 阿里云 腾讯云 华为云 百度云 "},
		{"forge", " github gitlab gitea bitbucket codeberg gitee "},
		{"chat", " slack discord teams mattermost telegram whatsapp signal 飞书 钉钉 微信 企业微信 "},
		{"browser", " firefox chrome safari edge brave chromium vivaldi opera "},
		{"tracker", " jira linear trello asana youtrack redmine 禅道 "},
		{"front end", " react vue svelte angular solid "},
		{"web server", " nginx caddy apache traefik haproxy "},
		{"shell", " bash zsh fish powershell "},
		{"package manager", " npm yarn pnpm pip poetry uv cargo "},
		{"orchestrator", " kubernetes nomad dockerswarm "},
		{"diet", " vegetarian vegan pescatarian 素食者 纯素食者 "},
	} {
		if strings.Contains(known.names, " "+said+" ") {
			return known.kind
		}
	}
	return ""
}

// closed reports whether a kind has no members but those that are known.
func (k valueKind) closed() bool {
	return k == "colour" || k == ofTime || strings.HasPrefix(string(k), string(ofNumber))
}
