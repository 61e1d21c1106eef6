"use strict";
/* What the page shows: the state in the address, the parts to choose from, the answer, and the tables. */

const data = JSON.parse(document.getElementById("data").textContent);
const FEW = 8;
const FEW_REASONS = 2;
const FEW_VALUES = 3;
const FEW_OTHERS = 4;
const FILLED_LATER = "\u0001";

const address = readAddress();
const state = {
  choice: [],
  view: "choose",
  listing: data.listings[0].kind,
  filter: "",
  sort: "",
  language: "",
  day: /^\d{4}-\d{2}-\d{2}$/.test(address.get("at") || "") ? address.get("at") : "",
};
const matrix = matrixOf(data, state.day || new Date().toISOString().slice(0, 10));
const expanded = new Set();
const valuesOf = new Map();
const shownReasons = new WeakMap();
let lastChanged = "";

/* ---- small tools ---- */

const byId = (id) => document.getElementById(id);
const ownLanguage = browserLanguage();
const language = () => state.language || ownLanguage;
const levelName = (level) => data.levels[level];

function browserLanguage() {
  const known = (navigator.languages || [navigator.language]).find((one) => /^(zh|en)/i.test(one)) || "en";
  return known.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function word(name, places = {}) {
  return data.words[language()][name].replace(/\{(\w+)\}/g, (_, place) => String(places[place]));
}

/** An element with attributes and children; text is always text, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((one) => one !== null && one !== ""));
  return element;
}

function joined(texts) {
  return texts.join(language() === "zh" ? "、" : ", ");
}

/* ---- the address ---- */

function readAddress() {
  return new URLSearchParams(window.location.hash.slice(1));
}

function readState() {
  const asked = readAddress();
  const strangers = [];
  let choice = matrix.EMPTY;
  for (const [key, text] of asked) {
    const part = key === "chip" || key === "product" ? "place" : key.replace("-", "_");
    if (!matrix.PARTS.includes(part) || !text) continue;
    const number = numberOf(part, text);
    if (number) choice = matrix.changed(choice, matrix.AT[part], number);
    else strangers.push(`${key} ${text}`);
  }
  state.choice = choice;
  state.view = asked.get("view") === "tables" ? "tables" : "choose";
  const kinds = data.listings.map((one) => one.kind);
  state.listing = kinds.includes(asked.get("table")) ? asked.get("table") : kinds[0];
  state.filter = asked.get("filter") || "";
  state.sort = /^-?\d+$/.test(asked.get("sort") || "") ? asked.get("sort") : "";
  state.language = ["en", "zh"].includes(asked.get("lang")) ? asked.get("lang") : "";
  showNotice(strangers.length ? word("unknown-link", { text: strangers.join(", ") }) : "");
}

function addressOf(view = state.view) {
  const found = new URLSearchParams();
  matrix.PARTS.forEach((part, at) => {
    const number = state.choice[at];
    if (number) found.set(part === "place" ? data.places[number - 1].kind : part, matrix.nameOf(at, number));
  });
  if (view === "tables") {
    found.set("view", "tables");
    found.set("table", state.listing);
    if (state.filter) found.set("filter", state.filter);
    if (state.sort) found.set("sort", state.sort);
  }
  if (state.language) found.set("lang", state.language);
  if (state.day) found.set("at", state.day);
  return `#${found}`;
}

/**
 * Put the state into the address; a row of changes of the same thing is one step of the history. Browsers take their
 * time for this, so it comes after what the reader waits for.
 */
function writeAddress(what) {
  const how = what === lastChanged ? "replaceState" : "pushState";
  const address = addressOf();
  lastChanged = what;
  window.setTimeout(() => window.history[how](null, "", address));
}

function showNotice(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

/* ---- names as people write them ---- */

function plain(text) {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function withoutMaker(text) {
  return plain(text).replace(/^(huawei|ascend|atlas|davinci)+/, "");
}

function numberOf(part, text) {
  if (part === "place") return placeOf(text);
  const { values, aliases } = data.parts[matrix.AT[part]];
  const release = text.toLowerCase().replace(/\+.*$/, "");
  const asked = part === "python" ? release.split(".").slice(0, 2).join(".") : release;
  const found = values.findIndex((value) => value.toLowerCase() === asked);
  const alias = Object.keys(aliases).find((one) => one.toLowerCase() === asked);
  return found >= 0 ? found + 1 : alias ? aliases[alias] : 0;
}

function placeOf(text) {
  for (const shape of [plain, withoutMaker]) {
    const asked = shape(text);
    for (const names of [(place) => [place.name], (place) => place.aliases]) {
      const found = data.places.findIndex((place) => names(place).some((name) => shape(name) === asked));
      if (asked && found >= 0) return found + 1;
    }
  }
  return 0;
}

/** Part and number of what somebody typed, such as `CANN 9.0.0`, `torch==2.9.0+cpu`, `910B3`; null where unknown. */
function understood(text) {
  const match = /^(chip|product|driver|firmware|cann|torch[_-]npu|torch|python|arch)[\s=:]+(.+)$/i.exec(text);
  const named = match && match[1].toLowerCase().replace("-", "_").replace(/^(chip|product)$/, "place");
  const versions = ["cann", "driver", "firmware", "torch", "torch_npu", "python"];
  const parts = named ? [named] : /^\d+\.\d/.test(text) ? versions : ["place", "arch"];
  for (const part of parts) {
    const number = numberOf(part, match ? match[2].trim() : text);
    if (number) return { part: matrix.AT[part], number };
  }
  return null;
}

/* ---- choosing ---- */

function choose(part, number) {
  state.choice = matrix.changed(state.choice, part, number);
  showNotice("");
  writeAddress(`part ${part}`);
  showChoice();
}

function chooseAll(choice) {
  state.choice = choice;
  showNotice("");
  writeAddress("all");
  showChoice();
}

function buildParts() {
  byId("parts").replaceChildren(...matrix.PARTS.map(buildPart));
  const options = matrix.PARTS.flatMap((part, at) =>
    data.parts[at].values.map((value) => {
      const isPlain = part === "place" || part === "arch";
      return make("option", { value: isPlain ? value : `${word(part)} ${value}` });
    }),
  );
  byId("known").replaceChildren(...options);
}

function buildPart(part, at) {
  const values = data.parts[at].values.map((value, place) => buildValue(part, at, value, place + 1));
  const any = buildValue(part, at, word("any"), 0);
  valuesOf.set(at, [any, ...values]);
  const list = make("div", { class: "values", id: `values-${part}` }, any.label, ...grouped(part, values));
  const more = make("button", {
    type: "button", class: "more", id: `more-${part}`, "aria-controls": `values-${part}`,
    onclick: () => toggle(part, at),
  });
  return make(
    "fieldset",
    { class: "part", "data-part": part, "aria-describedby": `count-${part}` },
    make("legend", {}, word(part)),
    make("p", { class: "count", id: `count-${part}` }),
    list,
    more,
    make("div", { class: "why", id: `why-${part}` }),
  );
}

/** Chips and products stand family by family. */
function grouped(part, values) {
  if (part !== "place") return values.map((value) => value.label);
  const groups = new Map();
  values.forEach((value, place) => {
    const { family } = data.places[place];
    if (!groups.has(family)) groups.set(family, make("div", { class: "family" }));
    groups.get(family).append(value.label);
  });
  return [...groups.values()];
}

function buildValue(part, at, text, number) {
  const input = make("input", { type: "radio", name: part, value: String(number) });
  const isOfSite = data.parts[at].site.includes(number);
  const mark = isOfSite ? make("span", { class: "site", title: word("site-hint") }, word("site")) : "";
  const label = make("label", { class: "value" }, input, make("span", { class: "face" }, text, mark));
  input.addEventListener("click", () => {
    if (number && state.choice[at] === number) choose(at, 0);
  });
  input.addEventListener("change", () => choose(at, number));
  return { label, input, text, shown: "" };
}

function toggle(part, at) {
  if (expanded.has(at)) expanded.delete(at);
  else expanded.add(at);
  showPart(part, at);
}

function showChoice() {
  document.querySelectorAll("nav a").forEach((one) => one.setAttribute("href", addressOf(one.dataset.view)));
  matrix.PARTS.forEach(showPart);
  showAnswer();
}

function showPart(part, at) {
  const values = valuesOf.get(at);
  const levels = values.map((_, number) => (number ? matrix.bestLevel(matrix.changed(state.choice, at, number)) : -1));
  const out = levels.flatMap((level, number) => (level === BROKEN ? [number] : []));
  const reasons = reasonsOf(at, out);
  const told = new Map(reasons.flatMap((kind) => kind.exact.flatMap((one) => one.numbers.map((number) => [number, one]))));
  const seen = seenOf(part, at, levels);
  values.forEach((value, number) => showValue(value, number, at, levels[number], told.get(number), seen));
  const all = values.length - 1;
  byId(`count-${part}`).textContent = word("fits", { count: all - out.length, all });
  const more = byId(`more-${part}`);
  more.textContent = expanded.has(at) ? word("show-fewer") : word("show-all", { all });
  more.setAttribute("aria-expanded", String(expanded.has(at)));
  more.hidden = !expanded.has(at) && seen.size > all;
  const card = document.querySelector(`fieldset[data-part=${part}]`);
  card.classList.toggle("chosen", state.choice[at] > 0);
  card.classList.toggle("expanded", expanded.has(at));
  showReasons(byId(`why-${part}`), reasons);
}

/** The numbers that are shown: all, or the chosen one and the first few that fit (of places, the families). */
function seenOf(part, at, levels) {
  if (expanded.has(at)) return new Set(levels.keys());
  const fitting = [...levels.keys()].filter((number) => number && levels[number] >= COMPATIBLE);
  const isFamily = (number) => data.places[number - 1].name === data.places[number - 1].family;
  const first = part === "place" ? fitting.filter(isFamily) : fitting.slice(0, FEW);
  return new Set([0, state.choice[at], ...first]);
}

function showValue(value, number, at, level, reason, seen) {
  const shownLevel = reason ? reason.level : level;
  const hint = !number ? "" : reason ? `${word(levelName(reason.level))}: ${filled(reason, matrix.nameOf(at, number))}` : word(levelName(level));
  const isSeen = seen.has(number);
  const shown = `${shownLevel} ${isSeen} ${hint}`;
  value.input.checked = state.choice[at] === number;
  if (value.shown === shown) return;
  value.shown = shown;
  value.label.hidden = !isSeen;
  value.label.dataset.level = number ? levelName(shownLevel) : "any";
  value.label.title = hint;
  value.input.setAttribute("aria-label", hint ? `${value.text}, ${hint}` : value.text);
}

/* ---- why values are out ---- */

/**
 * The reasons for which these numbers of a part are out. Reasons of one kind (the same sentence but for its values)
 * stand together; each holds its exact reasons, which numbers with equal ones share.
 */
function reasonsOf(at, numbers) {
  const kinds = new Map();
  const isClash = numbers.length > 0 && !matrix.isFulfilled(matrix.changed(state.choice, at, 0));
  for (const number of numbers) {
    const one = reasonOf(at, number, isClash);
    const kind = entry(kinds, one.kind, () => ({ level: one.level, names: new Set(), exact: new Map() }));
    const exact = entry(kind.exact, `${one.pattern} ${one.sources}`, () => ({ ...one, numbers: [], names: new Set() }));
    exact.numbers.push(number);
    exact.names.add(matrix.nameOf(at, number));
    kind.names.add(matrix.nameOf(at, number));
  }
  const found = [...kinds.values()].map((kind) => ({ ...kind, exact: [...kind.exact.values()] }));
  return found.sort((a, b) => a.level - b.level || b.names.size - a.names.size);
}

function reasonOf(at, number, isClash) {
  const why = matrix.whyOut(state.choice, at, number, isClash);
  if (why.word) return { level: UNKNOWN, kind: why.word, pattern: word(why.word), sources: [] };
  const level = Math.min(...why.against.map((one) => one.level));
  return {
    level,
    kind: `${level} ${why.against.map((one) => matrix.templateOf(one.outcome))}`,
    pattern: why.against.map((one) => sentenceFor(one, why.choice, at)).join("; "),
    sources: [...new Set(why.against.flatMap((one) => matrix.sourcesOf(one.outcome)))],
  };
}

function entry(map, key, make_) {
  if (!map.has(key)) map.set(key, make_());
  return map.get(key);
}

/** The sentence with the value itself left open, so that equal reasons of several values can be told together. */
function sentenceFor(offence, choice, at) {
  const isOwn = (part) => part === at || (part === matrix.KIN && at === matrix.AT.place);
  return matrix.sentence(offence.outcome, language(), (part) =>
    isOwn(part) ? FILLED_LATER : matrix.nameOf(part, choice[part]),
  );
}

function filled(exact, name = [...exact.names][0]) {
  return exact.pattern.replaceAll(FILLED_LATER, name);
}

/** Show the reasons, unless they are those that are shown already. */
function showReasons(element, reasons) {
  const told = reasons.flatMap((kind) => kind.exact.map((one) => [...one.names, one.pattern, one.sources]));
  const shown = `${language()} ${told.join()}`;
  if (shownReasons.get(element) === shown) return;
  shownReasons.set(element, shown);
  element.replaceChildren(...reasonList(reasons));
}

function reasonList(reasons) {
  if (!reasons.length) return [];
  const items = reasons.map(kindItem);
  const rest = items.slice(FEW_REASONS);
  const list = make("ul", { class: "reasons" }, ...items.slice(0, FEW_REASONS));
  if (!rest.length) return [list];
  const summary = rest.length === 1 ? word("one-more-reason") : word("more-reasons", { count: rest.length });
  return [list, make("details", {}, make("summary", {}, summary), make("ul", { class: "reasons" }, ...rest))];
}

/** A kind of reason told by its first exact one; the others open one by one. */
function kindItem(kind) {
  const [first] = kind.exact;
  const item = reasonItem(kind.level, kind.names, filled(first), first.sources);
  const isMany = kind.exact.length > 1 || (kind.names.size > 1 && first.pattern.includes(FILLED_LATER));
  if (!isMany) return item;
  item.querySelector(".text").prepend(word("for-example"), language() === "zh" ? "" : " ");
  if (kind.exact.length > 1) item.append(exactReasons(kind));
  return item;
}

function exactReasons(kind) {
  const list = make("ul", { class: "reasons" });
  const details = make("details", {}, make("summary", {}, word("one-by-one")), list);
  details.addEventListener("toggle", () => {
    const items = kind.exact.map((one) => reasonItem(kind.level, one.names, filled(one), one.sources));
    if (!list.children.length) list.append(...items);
  });
  return details;
}

function reasonItem(level, nameSet, text, sources) {
  const names = [...nameSet];
  const few = joined(names.slice(0, FEW_VALUES));
  const more = names.length > FEW_VALUES ? ` ${word("more-values", { count: names.length - FEW_VALUES })}` : "";
  return make(
    "li",
    { "data-level": levelName(level) },
    make("span", { class: "names", title: joined(names) }, few + more),
    make("span", { class: "text" }, text),
    sourceLine(sources),
  );
}

/** The first source in one line; all of them open below it. */
function sourceLine(sources) {
  if (sources.length < 2) return sources.length ? make("p", { class: "sources" }, sourceText(sources[0])) : "";
  const first = make("span", { class: "first" }, sources[0].replace("https://", ""));
  const rest = make("span", { class: "more-sources" }, `+${sources.length - 1}`);
  const all = make("ul", {}, ...sources.map((one) => make("li", {}, sourceText(one))));
  return make("details", { class: "sources" }, make("summary", {}, first, rest), all);
}

/** A source as text, as a link where it is an address; sources of a site's folder are marked. */
function sourceText(source) {
  const isAddress = /^https:\/\/\S+$/.test(source);
  if (isAddress) return make("a", { href: source, rel: "noreferrer noopener" }, source.replace("https://", ""));
  return make("span", source.startsWith("site: ") ? { class: "site" } : {}, source);
}

/* ---- the answer ---- */

function showAnswer() {
  const stacks = matrix.pick(state.choice);
  const chosen = matrix.PARTS.filter((_, at) => state.choice[at]).length;
  const sections = [judged(chosen, stacks.length > 0)];
  if (stacks.length) sections.push(bestSet(stacks[0], chosen), otherSets(stacks.slice(1, 1 + FEW_OTHERS)));
  else sections.push(clash());
  byId("answer").replaceChildren(...sections.filter(Boolean));
  const told = stacks.length
    ? word("status", { count: stacks.length, set: joined(shortSet(stacks[0].choice)) })
    : word("status-none");
  byId("status").textContent = told;
  byId("jump").textContent = told;
}

function shortSet(choice) {
  return ["cann", "torch_npu"].map((part) => `${word(part)} ${matrix.nameOf(matrix.AT[part], choice[matrix.AT[part]])}`);
}

function badge(level, text = word(levelName(level))) {
  return make("span", { class: "badge", "data-level": levelName(level) }, text);
}

function judged(chosen, isHeld) {
  if (!chosen) return null;
  const relations = matrix.relations(state.choice);
  const level = matrix.verdict(state.choice);
  const isTold = level === BROKEN || relations.some((one) => one.core);
  const indirect = isHeld ? "verdict-indirect" : "verdict-apart";
  const words = word(isTold ? `verdict-${levelName(level)}` : chosen > 1 ? indirect : "verdict-nothing");
  return make(
    "section",
    { class: "verdict", "data-level": isTold ? levelName(level) : "none", id: "verdict" },
    make("h2", {}, word("your-choice")),
    make("p", { class: "words" }, words),
    relationList(relations, state.choice),
  );
}

function relationList(relations, choice) {
  const sorted = [...relations].sort((a, b) => a.level - b.level);
  return make("ul", { class: "relations" }, ...sorted.map((one) => relationItem(one, choice)));
}

function relationItem(relation, choice) {
  const shown = (part) => matrix.nameOf(part, choice[part]);
  const between = relation.line || relation.parts.map((part) => `${partWord(part)} ${shown(part)}`).join(" + ");
  return make(
    "li",
    { "data-level": levelName(relation.level) },
    make("p", { class: "between" }, badge(relation.level), " ", between),
    make("p", { class: "text" }, matrix.sentence(relation.outcome, language(), shown)),
    sourceLine(matrix.sourcesOf(relation.outcome)),
  );
}

function partWord(at) {
  return at === matrix.AT.place ? "" : word(matrix.PARTS[at]);
}

function bestSet(stack, chosen) {
  const { choice } = stack;
  const shown = matrix.PARTS.filter((part, at) => choice[at] || (part === "firmware" && choice[matrix.AT.driver]));
  const rows = shown.map((part) => {
    const at = matrix.AT[part];
    const text = matrix.nameOf(at, choice[at]) || word("not-published");
    return make("div", { class: state.choice[at] ? "chosen" : null }, make("dt", {}, word(part)), make("dd", {}, text));
  });
  const relations = matrix.relations(choice);
  return make(
    "section",
    { class: "set", id: "set" },
    make("h2", {}, word(chosen ? "set" : "newest"), " ", badge(stack.level), stack.old ? badge(UNKNOWN, word("end-of-life")) : ""),
    make("dl", {}, ...rows),
    ...commandBlock(stack),
    make("details", { class: "proof" }, make("summary", {}, word("proof")), relationList(relations, choice)),
  );
}

function commandBlock(stack) {
  const lines = matrix.commands(stack);
  const isOpen = lines.some((line) => line.includes("<"));
  return [
    make("h3", {}, word("commands"), " ", copyButton(lines.join("\n"))),
    make("pre", { id: "commands", tabindex: "0", "data-label": "commands" }, make("code", {}, ...lines.map(commandLine))),
    make("p", { class: "hint" }, word(isOpen ? "fill-in" : "files")),
    make("h3", {}, word("same")),
    make("pre", { tabindex: "0" }, make("code", { id: "same" }, commandLine(sameCommand("pick")))),
  ];
}

/** A command whose later lines stand back, and whose options never break. */
function commandLine(line) {
  const words = line.split(" ").flatMap((one, place) => {
    const isOption = one.startsWith("-");
    return [place ? " " : "", isOption ? make("span", { class: "word" }, one) : one];
  });
  return make("span", { class: "line" }, ...words);
}

/** The command line that gives the same answer. */
function sameCommand(verb) {
  const options = matrix.PARTS.flatMap((part, at) => {
    if (!state.choice[at]) return [];
    const name = part === "place" ? data.places[state.choice[at] - 1].kind : part.replace("_", "-");
    return [`--${name} ${quoted(matrix.nameOf(at, state.choice[at]))}`];
  });
  if (state.day) options.push(`--at ${state.day}`);
  for (const folder of data.folders) options.push(`--matrix ${quoted(folder)}`);
  return ["ascendenv matrix", verb, ...options].join(" ");
}

function quoted(text) {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function copyButton(text) {
  const button = make("button", { type: "button", class: "copy" }, word("copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      window.getSelection().selectAllChildren(byId("commands"));
      document.execCommand("copy");
    }
    button.textContent = word("copied");
    byId("status").textContent = word("copied");
  });
  return button;
}

function otherSets(stacks) {
  if (!stacks.length) return null;
  return make("section", { class: "others" }, make("h2", {}, word("others")), setTable(stacks.map((stack) => ({ stack }))));
}

function setTable(rows) {
  const isDropping = rows.some((row) => row.dropped !== undefined);
  const heads = isDropping ? ["cann", "torch_npu", "python"] : ["cann", "torch_npu", "driver", "python"];
  const bodies = rows.map(({ stack, dropped }) =>
    make(
      "tr",
      {},
      ...(dropped === undefined ? [] : [make("th", { scope: "row" }, word("without", { wish: chosenText(dropped) }))]),
      ...heads.map((part) => make("td", { "data-part": part }, matrix.nameOf(matrix.AT[part], stack.choice[matrix.AT[part]]) || "-")),
      make("td", {}, stack.old ? badge(UNKNOWN, word("end-of-life")) : badge(stack.level)),
      make("td", {}, takeButton(stack, dropped)),
    ),
  );
  const head = make("tr", {}, isDropping ? make("td") : "", ...heads.map((part) => make("th", { scope: "col", "data-part": part }, word(part))), make("td"), make("td"));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": word("others") }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...bodies)));
}

function takeButton(stack, dropped) {
  const take = dropped === undefined ? stack.choice : matrix.changed(state.choice, dropped, 0);
  return make("button", { type: "button", onclick: () => chooseAll(take) }, word(dropped === undefined ? "take" : "drop"));
}

function chosenText(at) {
  const name = matrix.nameOf(at, state.choice[at]);
  return at === matrix.AT.place ? name : `${word(matrix.PARTS[at])} ${name}`;
}

function clash() {
  const { clashing, waysOut } = matrix.conflict(state.choice);
  const wishes = joined(clashing.map(chosenText));
  const told = clashing.length === 1 ? word("no-set", { wish: wishes }) : word("no-set-together", { wishes });
  const rows = waysOut.map((one) => ({ stack: one.stack, dropped: one.part }));
  return make(
    "section",
    { class: "clash", id: "clash" },
    make("h2", {}, word("status-none")),
    make("p", {}, told),
    ...(rows.length ? [make("h3", {}, word("ways-out")), setTable(rows)] : []),
    make("h3", {}, word("same")),
    make("pre", { tabindex: "0" }, make("code", { id: "same" }, commandLine(sameCommand("check")))),
  );
}

/* ---- the tables ---- */

const WORD_RANKS = { dev: 0, day: 0, a: 1, alpha: 1, beta: 2, t: 3, rc: 4, tr: 4, b: 5, sph: 7, spc: 7, post: 7 };
const END_RANK = 6;
const NUMBER_RANK = 8;

/** A key that orders versions as the matrix does: builds and alphas before the release, patches after it. */
function versionKey(text) {
  const words = text.toLowerCase().match(/\d+|[a-z]+/g) || [];
  const key = words.flatMap((one) => (/\d/.test(one) ? [NUMBER_RANK, Number(one)] : [WORD_RANKS[one] ?? -1, -1]));
  return [...key, END_RANK];
}

function compareKeys(a, b) {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? -1) - (b[at] ?? -1);
    if (difference) return difference;
  }
  return 0;
}

function cellText(cell) {
  if (typeof cell === "number") return word(levelName(cell));
  if (Array.isArray(cell)) return joined(cell);
  return typeof cell === "object" ? cell[language()] : cell;
}

function listingOf(kind) {
  return data.listings.find((one) => one.kind === kind);
}

function rowsOf(listing) {
  const width = listing.columns.length;
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = listing.rows.map((row) => ({ cells: row.slice(0, width), sources: matrix.sources(row[width]), isOfSite: row[width + 1] }));
  const fitting = rows.filter((row) => {
    const text = [...row.cells.map(cellText), ...row.sources].join(" ").toLowerCase();
    return words.every((one) => text.includes(one));
  });
  return state.sort ? sorted(fitting, listing) : fitting;
}

function sorted(rows, listing) {
  const at = Math.abs(Number(state.sort)) - 1;
  const column = listing.columns[at];
  if (!column) return rows;
  const collator = new Intl.Collator(language(), { numeric: true });
  const keyed = rows.map((row) => {
    const cell = row.cells[at];
    const text = Array.isArray(cell) ? cell[0] || "" : cellText(cell);
    return { row, text, key: typeof cell === "number" ? [cell] : versionKey(text) };
  });
  const isByKey = column.isVersion || keyed.some((one) => typeof one.row.cells[at] === "number");
  const compare = isByKey ? (a, b) => compareKeys(a.key, b.key) : (a, b) => collator.compare(a.text, b.text);
  const direction = state.sort.startsWith("-") ? -1 : 1;
  return keyed
    .sort((a, b) => (!a.text ? 1 : 0) - (!b.text ? 1 : 0) || direction * compare(a, b))
    .map((one) => one.row);
}

function showTables() {
  const buttons = data.listings.map((one) =>
    make("button", { type: "button", "aria-pressed": String(one.kind === state.listing), onclick: () => openListing(one.kind) }, one.title[language()]),
  );
  byId("listings").replaceChildren(...buttons);
  if (byId("filter").value !== state.filter) byId("filter").value = state.filter;
  showRows();
}

function openListing(kind) {
  Object.assign(state, { listing: kind, sort: "" });
  writeAddress("listing");
  showTables();
  [...byId("listings").children].find((one) => one.getAttribute("aria-pressed") === "true").focus();
}

function showRows() {
  const listing = listingOf(state.listing);
  const rows = rowsOf(listing);
  byId("row-count").textContent = rows.length ? word("rows", { count: rows.length, all: listing.rows.length }) : word("no-rows");
  const labels = [...listing.columns.map((column) => column.label[language()]), word("sources")];
  const heads = listing.columns.map((column, at) => headOf(column, at));
  const table = make(
    "table",
    { class: "listing", role: "table" },
    make("caption", { class: "unseen" }, listing.title[language()]),
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads, make("th", { scope: "col", role: "columnheader" }, word("sources")))),
    make("tbody", { role: "rowgroup" }, ...rows.map((row) => rowOf(row, labels))),
  );
  byId("listing").replaceChildren(table);
}

function headOf(column, at) {
  const label = column.label[language()];
  const isSorted = Math.abs(Number(state.sort)) === at + 1;
  const isDown = state.sort.startsWith("-");
  const button = make("button", { type: "button", title: word("sort", { column: label }), onclick: () => sortBy(at) }, label);
  const direction = isSorted ? (isDown ? "descending" : "ascending") : "none";
  return make("th", { scope: "col", role: "columnheader", "aria-sort": direction }, button);
}

function sortBy(at) {
  state.sort = state.sort === String(at + 1) ? `-${at + 1}` : String(at + 1);
  writeAddress("sort");
  showRows();
  byId("listing").querySelectorAll("thead button")[at].focus();
}

function rowOf(row, labels) {
  const cells = row.cells.map((cell, at) => {
    const content = typeof cell === "number" ? badge(cell) : cellText(cell);
    const mark = at === 0 && row.isOfSite ? make("span", { class: "site", title: word("site-hint") }, word("site")) : "";
    return make(at ? "td" : "th", { "data-column": labels[at], role: at ? "cell" : "rowheader", scope: at ? null : "row" }, content, mark);
  });
  const sources = make("td", { "data-column": labels[labels.length - 1], class: "sources", role: "cell" }, sourceLine(row.sources));
  return make("tr", { class: row.isOfSite ? "of-site" : null, role: "row" }, ...cells, sources);
}

/* ---- the whole page ---- */

function showWords() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  document.title = `${word("title")} · ascendenv`;
  document.querySelectorAll("[data-word]").forEach((one) => { one.textContent = word(one.dataset.word); });
  document.querySelectorAll("[data-label]").forEach((one) => one.setAttribute("aria-label", word(one.dataset.label)));
  document.querySelectorAll("[data-language]").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.language === language())));
  byId("made-by").textContent = word("made-by", { version: data.version, digest: data.digest });
  byId("as-of").textContent = state.day ? word("as-of", { day: state.day }) : "";
}

function showView() {
  byId("choose").hidden = state.view !== "choose";
  byId("tables").hidden = state.view !== "tables";
  document.querySelectorAll("nav a").forEach((one) => {
    if (one.dataset.view === state.view) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  });
  if (state.view === "tables") showTables();
}

function showAll() {
  showWords();
  buildParts();
  showChoice();
  showView();
}

function openAddress() {
  lastChanged = "";
  readState();
  showAll();
}

function setColours(colours) {
  if (colours) document.documentElement.dataset.colours = colours;
  else delete document.documentElement.dataset.colours;
  byId("colours").value = colours;
}

/** The colours that this reader chose last; a browser may refuse to remember. */
function remembered() {
  try {
    const found = window.localStorage.getItem("ascendenv-colours") || "";
    return ["light", "dark"].includes(found) ? found : "";
  } catch {
    return "";
  }
}

function remember(colours) {
  try {
    window.localStorage.setItem("ascendenv-colours", colours);
  } catch {
    /* Then the choice lasts as long as the page. */
  }
}

/** The answer in short is needed only where the answer itself is out of sight. */
function hideJumpOverAnswer() {
  const watch = new IntersectionObserver(([seen]) => byId("jump").classList.toggle("idle", seen.isIntersecting));
  watch.observe(byId("answer"));
}

function goToAnswer() {
  byId("answer").scrollIntoView();
  byId("answer").focus();
}

function findTyped(event) {
  event.preventDefault();
  const typed = byId("find-text").value.split(/[,;\n]/).map((one) => one.trim()).filter(Boolean);
  const unknown = typed.filter((one) => !understood(one));
  let { choice } = state;
  for (const found of typed.map(understood)) if (found) choice = matrix.changed(choice, found.part, found.number);
  chooseAll(choice);
  byId("find-text").value = unknown.join(", ");
  if (unknown.length) showNotice(word("find-none", { text: unknown.join(", ") }));
}

byId("find").addEventListener("submit", findTyped);
byId("clear").addEventListener("click", () => { expanded.clear(); chooseAll(matrix.EMPTY); });
byId("skip").addEventListener("click", goToAnswer);
byId("jump").addEventListener("click", goToAnswer);
byId("colours").addEventListener("change", (event) => { setColours(event.target.value); remember(event.target.value); });
byId("filter").addEventListener("input", (event) => { state.filter = event.target.value; writeAddress("filter"); showRows(); });
document.querySelectorAll("[data-language]").forEach((one) =>
  one.addEventListener("click", () => { state.language = one.dataset.language; writeAddress("language"); showAll(); }),
);
window.addEventListener("popstate", openAddress);
window.addEventListener("beforeprint", () => document.querySelectorAll(".answer details").forEach((one) => { one.open = true; }));
hideJumpOverAnswer();
setColours(remembered());
openAddress();
