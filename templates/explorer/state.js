/* The state of the page: what is chosen, how the address holds it, and what people call things. */

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
