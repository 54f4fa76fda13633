package main

import (
	"fmt"
	"math/rand/v2"

	"agentmemory/tools"
)

// told is something said to the memory. Question is how it is asked for later;
// Key names what a judge calls valuable: a later entry of the same key replaces
// the earlier one on the judge's list.
type told struct {
	item     tools.RememberItem
	question string
	key      string
}

// teller makes up a life at work, in English and Chinese. Most of it is
// passing. Some of the passing things sound important, and some of the
// important ones do not: only their use shows it.
type teller struct {
	random *rand.Rand
	said   []told // what may be said again
	worth  []told // what the judge called valuable
}

func (t *teller) pick(from ...string) string { return from[t.random.IntN(len(from))] }

func (t *teller) person() string {
	return t.pick("Ann", "Bob", "Chen Wei", "Dora", "Tomás", "李雷", "韩梅梅", "小林", "老王")
}

func (t *teller) thing() string {
	return t.pick("the login page", "the invoice export", "the nightly job", "the search index", "the mobile app", "支付接口", "导出功能", "缓存服务", "发布脚本", "报表页面")
}

// trifle is an entry of the day that nobody will miss.
func (t *teller) trifle() told {
	n := t.random.IntN(1_000_000)
	item := tools.RememberItem{Type: "event"}
	question := ""
	switch t.random.IntN(20) {
	case 0, 1:
		item.Type, item.Content = "emotion", t.feeling(n)
	case 2, 3, 4:
		item.Type = "knowledge"
		question = fmt.Sprintf("PROJ-%d", n)
		item.Content = fmt.Sprintf("Ticket PROJ-%d is about %s; %s reported it", n, t.thing(), t.person())
	case 5:
		item.Type, item.Content = "knowledge", fmt.Sprintf("%s must leave at %d:%02d today", t.person(), 14+t.random.IntN(5), t.random.IntN(60))
	case 6:
		item.Content = fmt.Sprintf("今天必须先交第 %d 号报表，%s在等", n, t.person())
	case 7:
		item.Content = fmt.Sprintf("TODO: answer %s about %s (mail %d)", t.person(), t.thing(), n)
	case 8:
		item.Content = fmt.Sprintf("正在和%s调试%s，第 %d 次尝试", t.person(), t.thing(), n)
	case 9, 10, 11:
		item.Content = fmt.Sprintf("和%s讨论了%s，会议编号 %d", t.person(), t.thing(), n)
		question = fmt.Sprintf("会议编号 %d", n)
	case 12, 13:
		item.Content = fmt.Sprintf("%s 完成了%s的第 %d 版", t.person(), t.thing(), n)
	case 14:
		if len(t.said) > 20 { // somebody says again what was said before
			return t.said[len(t.said)-1-t.random.IntN(20)]
		}
		fallthrough
	default:
		item.Content = fmt.Sprintf("%s %s build %d of %s in %d minutes", t.person(), t.pick("deployed", "reverted", "tested", "reviewed"), n, t.thing(), t.random.IntN(60))
		question = fmt.Sprintf("build %d", n)
	}
	one := told{item: item, question: question}
	t.said = append(t.said, one)
	return one
}

func (t *teller) feeling(n int) string {
	return t.pick(
		fmt.Sprintf("%s was happy about the demo of sprint %d", t.person(), n),
		fmt.Sprintf("%s is worried about review %d", t.person(), n),
		fmt.Sprintf("为%s的第 %d 次发布开心", t.thing(), n),
		fmt.Sprintf("有点担心%s的进度，第 %d 周", t.person(), n),
	)
}

// treasure is what a judge would want to find at any time; kinds take turns.
// Only some of them carry a mark by which a program could tell.
func (t *teller) treasure(i int) told {
	n := 1000 + i*37
	switch i % 10 {
	case 0:
		return t.decision(i, t.pick("SQLite", "Postgres", "Redis", "DuckDB"))
	case 1:
		return told{key: fmt.Sprint("preference ", i), question: fmt.Sprintf("第%d类邮件怎么写", n), item: tools.RememberItem{
			URI: fmt.Sprintf("knowledge://preferences/mail-%d", n), Content: fmt.Sprintf("第%d类邮件要%s", n, t.pick("写得简短", "先列结论", "附上表格"))}}
	case 2:
		return told{key: fmt.Sprint("lesson ", i), question: fmt.Sprintf("outage %d runbook", n), item: tools.RememberItem{
			URI: fmt.Sprintf("knowledge://lessons/outage-%d", n), Content: fmt.Sprintf("Outage %d came from %s; check the queue length before restarting", n, t.thing())}}
	case 3:
		return told{key: fmt.Sprint("marked ", i), question: fmt.Sprintf("contact vendor %d", n), item: tools.RememberItem{
			Type: "knowledge", Content: fmt.Sprintf("!REMEMBER the contact for vendor %d is extension %d", n, 4000+i)}}
	case 4:
		return told{key: fmt.Sprint("rule ", i), question: fmt.Sprintf("第%d号仓库 合并", n), item: tools.RememberItem{
			Type: "knowledge", Content: fmt.Sprintf("规则：第%d号仓库合并之前必须跑完%s的测试", n, t.thing())}}
	case 5:
		return told{key: fmt.Sprint("choice ", i), question: fmt.Sprintf("service %d protocol", n), item: tools.RememberItem{
			Type: "knowledge", Content: fmt.Sprintf("We decided that service %d speaks %s", n, t.pick("gRPC", "plain HTTP", "AMQP"))}}
	case 6:
		important := 0.8
		return told{key: fmt.Sprint("important ", i), question: fmt.Sprintf("certificate of host %d", n), item: tools.RememberItem{
			Type: "knowledge", Importance: &important, Content: fmt.Sprintf("The certificate of host %d is renewed by hand, by %s", n, t.person())}}
	case 7:
		return told{key: fmt.Sprint("person ", i), question: fmt.Sprintf("客户%d 负责人", n), item: tools.RememberItem{
			Type: "identity", Content: fmt.Sprintf("客户%d的负责人是%s，只说西班牙语", n, t.person())}}
	case 8:
		return told{key: fmt.Sprint("fact ", i), question: fmt.Sprintf("gateway of region %d", n), item: tools.RememberItem{
			Type: "knowledge", Content: fmt.Sprintf("The gateway of region %d listens on port %d", n, 8000+i)}}
	}
	return told{key: fmt.Sprint("事实 ", i), question: fmt.Sprintf("第%d机房 备用电源", n), item: tools.RememberItem{
		Type: "knowledge", Content: fmt.Sprintf("第%d机房的备用电源在%d楼", n, 1+t.random.IntN(9))}}
}

func (t *teller) decision(i int, choice string) told {
	n := 1000 + i*37
	return told{key: fmt.Sprint("decision ", i), question: fmt.Sprintf("store of component %d", n), item: tools.RememberItem{
		Form: "decision", Title: fmt.Sprintf("Store of component %d", n), Content: fmt.Sprintf("Component %d keeps its data in %s", n, choice),
		URI: fmt.Sprintf("decision://component-%d-store", n), SessionID: fmt.Sprintf("s%d", n), SessionPath: fmt.Sprintf("sessions/s%d.jsonl", n), MessageRange: "4-9",
		Fields: map[string]string{"why": "measured", "finding": choice + " was fast enough", "conclusion": "use " + choice, "impact": "one file to back up"},
	}}
}

// revision changes an earlier decision or preference: the old one is no longer
// on the judge's list.
func (t *teller) revision() (told, bool) {
	for range 20 {
		if len(t.worth) == 0 {
			break
		}
		old := t.worth[t.random.IntN(len(t.worth))]
		if old.item.URI == "" || old.item.Form != "" {
			continue
		}
		old.item.Content += t.pick(" — also at weekends", "（周末也一样）")
		return old, true
	}
	return told{}, false
}
