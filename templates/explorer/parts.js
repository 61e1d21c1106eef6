/* The parts to choose from: what still fits of each, and why the rest does not. */

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
