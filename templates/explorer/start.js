/* The whole page: words, views, colours, and what happens on which event. */

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
