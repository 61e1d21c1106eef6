/* The rows of the matrix as tables that sort and filter. */

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
