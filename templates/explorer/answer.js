/* The answer: the verdict on what is chosen, a set that fits, and what to type. */

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
