package text

// irregular returns the base form of a folded English word whose inflection no
// rule of a stemmer undoes, or the word itself: questions ask what somebody did
// buy, memories tell what was bought.
func irregular(word string) string {
	switch {
	case word == "" || len(word) > 10:
		return word
	case word < "d":
		return irregularToC(word)
	case word < "g":
		return irregularToF(word)
	case word < "m":
		return irregularToL(word)
	case word < "s":
		return irregularToR(word)
	case word < "sm":
		return irregularToSl(word)
	case word < "t":
		return irregularToSz(word)
	}
	return irregularFromT(word)
}

func irregularToC(word string) string {
	switch word {
	case "analyses":
		return "analysis"
	case "began", "begun":
		return "begin"
	case "bit", "bitten":
		return "bite"
	case "blew", "blown":
		return "blow"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "children":
		return "child"
	case "chose", "chosen":
		return "choose"
	case "came":
		return "come"
	case "crept":
		return "creep"
	case "crises":
		return "crisis"
	case "criteria":
		return "criterion"
	case "ate":
		return "eat"
	}
	return word
}

func irregularToF(word string) string {
	switch word {
	case "dealt":
		return "deal"
	case "dug":
		return "dig"
	case "did", "done":
		return "do"
	case "drawn", "drew":
		return "draw"
	case "dreamt":
		return "dream"
	case "drank", "drunk":
		return "drink"
	case "driven", "drove":
		return "drive"
	case "eaten":
		return "eat"
	case "fallen", "fell":
		return "fall"
	case "fed":
		return "feed"
	case "felt":
		return "feel"
	case "fought":
		return "fight"
	case "found":
		return "find"
	case "flew", "flown":
		return "fly"
	case "feet":
		return "foot"
	case "forbade", "forbidden":
		return "forbid"
	case "forgot", "forgotten":
		return "forget"
	case "forgave", "forgiven":
		return "forgive"
	case "froze", "frozen":
		return "freeze"
	}
	return word
}

func irregularToL(word string) string {
	switch word {
	case "gave", "given":
		return "give"
	case "gone":
		return "go"
	case "geese":
		return "goose"
	case "grew", "grown":
		return "grow"
	case "halves":
		return "half"
	case "hung":
		return "hang"
	case "heard":
		return "hear"
	case "hid", "hidden":
		return "hide"
	case "held":
		return "hold"
	case "indices":
		return "index"
	case "kept":
		return "keep"
	case "knelt":
		return "kneel"
	case "knives":
		return "knife"
	case "knew", "known":
		return "know"
	case "laid":
		return "lay"
	case "led":
		return "lead"
	case "leapt":
		return "leap"
	case "learnt":
		return "learn"
	case "left":
		return "leave"
	case "lent":
		return "lend"
	case "lives":
		return "life"
	case "lit":
		return "light"
	case "loaves":
		return "loaf"
	case "lost":
		return "lose"
	}
	return word
}

func irregularToR(word string) string {
	switch word {
	case "made":
		return "make"
	case "men":
		return "man"
	case "matrices":
		return "matrix"
	case "meant":
		return "mean"
	case "met":
		return "meet"
	case "mistaken", "mistook":
		return "mistake"
	case "mice":
		return "mouse"
	case "overcame":
		return "overcome"
	case "paid":
		return "pay"
	case "people":
		return "person"
	case "proven":
		return "prove"
	case "rebuilt":
		return "rebuild"
	case "rewritten", "rewrote":
		return "rewrite"
	case "ridden", "rode":
		return "ride"
	case "rang", "rung":
		return "ring"
	case "risen", "rose":
		return "rise"
	case "ran":
		return "run"
	}
	return word
}

func irregularToSl(word string) string {
	switch word {
	case "said":
		return "say"
	case "saw", "seen":
		return "see"
	case "sent":
		return "send"
	case "sewn":
		return "sew"
	case "shaken", "shook":
		return "shake"
	case "shelves":
		return "shelf"
	case "shone":
		return "shine"
	case "shot":
		return "shoot"
	case "shown":
		return "show"
	case "shrank", "shrunk":
		return "shrink"
	case "sang":
		return "sing"
	case "sank":
		return "sink"
	case "sat":
		return "sit"
	case "slept":
		return "sleep"
	case "slid":
		return "slide"
	}
	return word
}

func irregularToSz(word string) string {
	switch word {
	case "sought":
		return "seek"
	case "sold":
		return "sell"
	case "sung":
		return "sing"
	case "sunk":
		return "sink"
	case "spoke", "spoken":
		return "speak"
	case "sped":
		return "speed"
	case "spent":
		return "spend"
	case "spun":
		return "spin"
	case "stood":
		return "stand"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "stung":
		return "sting"
	case "struck":
		return "strike"
	case "swore", "sworn":
		return "swear"
	case "swept":
		return "sweep"
	case "swam", "swum":
		return "swim"
	case "swung":
		return "swing"
	}
	return word
}

func irregularFromT(word string) string {
	switch word {
	case "went":
		return "go"
	case "taken", "took":
		return "take"
	case "taught":
		return "teach"
	case "tore", "torn":
		return "tear"
	case "told":
		return "tell"
	case "thieves":
		return "thief"
	case "thought":
		return "think"
	case "threw", "thrown":
		return "throw"
	case "teeth":
		return "tooth"
	case "understood":
		return "understand"
	case "vertices":
		return "vertex"
	case "woke", "woken":
		return "wake"
	case "wore", "worn":
		return "wear"
	case "wove", "woven":
		return "weave"
	case "wept":
		return "weep"
	case "wives":
		return "wife"
	case "won":
		return "win"
	case "withdrawn", "withdrew":
		return "withdraw"
	case "wolves":
		return "wolf"
	case "women":
		return "woman"
	case "written", "wrote":
		return "write"
	}
	return word
}
