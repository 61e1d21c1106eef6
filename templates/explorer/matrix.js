"use strict";
/*
 * The matrix of the page: judges, picks, and tells why a value is out, exactly as `ascendenv matrix` does.
 *
 * A choice is an array with the number of each part's value, 0 where it is open; its last entry is the kin of the
 * place (the family of a chip, or the product), all that most relations look at. Nothing here touches the page.
 */

const BROKEN = 0;
const UNKNOWN = 1;
const COMPATIBLE = 2;
const RECOMMENDED = 3;
const REMEMBERED = 20000;

/** The matrix made of the page's data; `today` as 2026-11-29 is the day that life-cycles are judged by. */
function matrixOf(data, today) {
  const PARTS = data.parts.map((part) => part.name);
  const AT = Object.fromEntries([...PARTS, "kin"].map((part, place) => [part, place]));
  const KIN = AT.kin;
  const bestLevels = new Map();
  const EMPTY = new Array(PARTS.length + 1).fill(0);
  const SIZES = [...data.parts.map((part) => part.values.length + 1), data.kins.length + 1];
  const outcomes = data.texts.outcomes;
  const levels = outcomes.map((outcome) => outcome[0]);
  const kinOfFamily = new Map(data.places.map((place) => [place.name, place.kin]));

  const rules = data.relations.rules.map((rule) => ({
    kind: rule.kind,
    core: rule.core,
    at: rule.looksAt.map((part) => AT[part]),
    sizes: rule.looksAt.map((part) => SIZES[AT[part]]),
    between: rule.between.map((part) => AT[part]),
    cells: unfold(rule.table),
    contradictions: contradictionsOf(rule.kind),
  }));
  const lifeContradictions = contradictionsOf("life-cycle");
  const breaks = data.relations.breaks.map(conditional);
  const lives = data.relations.lives.map((life) => lastFrom(life.days));
  const firmwareRule = rules.find((rule) => rule.kind === "driver-firmware");

  const canns = data.stacks.cann.map((cann) => ({
    ...cann,
    families: cann.families && new Set(cann.families),
    python: cann.python && new Set(cann.python),
  }));
  const wheels = data.stacks.torchNpu.map((release) =>
    data.parts[AT.arch].values
      .map((arch, place) => ({ arch: place + 1, pythons: release.wheels[arch] }))
      .filter((wheel) => wheel.pythons),
  );
  const torchOf = data.stacks.torchNpu.map((release) => release.torch);
  const isOld = data.stacks.torchNpu.map((release) => lastFrom(release.old));
  const best = carriersOf(data.stacks.best);
  const named = carriersOf(data.stacks.named);
  const pairs = pairsOf();
  const installable = [...new Set(pairs.flat().map((pair) => pair.torchNpu))].sort((a, b) => a - b);

  const hdkCommands = unfold(data.commands.hdk);
  const cannCommands = unfold(data.commands.cann);
  const pythonCommands = unfold(data.commands.python);

  /* ---- reading the folded tables ---- */

  function unroll(runs) {
    const found = [];
    for (let at = 0; at < runs.length; at += 1) {
      if (runs[at] >= 0) {
        found.push(runs[at]);
      } else {
        for (let left = -runs[at]; left > 0; left -= 1) found.push(runs[at + 1]);
        at += 1;
      }
    }
    return found;
  }

  function unfold(folded) {
    let numbers = [0];
    for (const level of folded.levels) {
      const rows = level.map(unroll);
      const next = [];
      for (const number of numbers) for (const one of rows[number]) next.push(one);
      numbers = next;
    }
    return Uint16Array.from(numbers);
  }

  /** What holds today of values that hold from a day on. */
  function lastFrom(days) {
    let found = days[0][1];
    for (const [day, value] of days) if (day <= today) found = value;
    return found;
  }

  function conditional(one) {
    const when = one.when.map(([part, numbers]) => ({ at: AT[part], numbers: new Set(numbers) }));
    const between = [...new Set(when.map((each) => (each.at === KIN ? AT.place : each.at)))];
    return { outcome: one.outcome, when, between };
  }

  function contradictionsOf(kind) {
    return data.relations.contradictions.filter((one) => one.kind === kind).map(conditional);
  }

  function carriersOf(carriers) {
    const table = unfold(carriers.table);
    const lists = carriers.lists.map((flat) => {
      const found = [];
      for (let at = 0; at < flat.length; at += 3) {
        found.push({ driver: flat[at], firmware: flat[at + 1], level: flat[at + 2] });
      }
      return found;
    });
    return (kin, cann) => lists[table[kin * canns.length + cann - 1]];
  }

  function pairsOf() {
    let place = 0;
    return canns.map((cann) => {
      const found = [];
      for (let at = 0; at < cann.pairs.length; at += 2) {
        found.push({ torchNpu: cann.pairs[at], level: cann.pairs[at + 1], place });
        place += 1;
      }
      return found;
    });
  }

  /* ---- judge ---- */

  function holds(one, choice) {
    return one.when.every((each) => each.numbers.has(choice[each.at]));
  }

  function cellOf(rule, choice) {
    let cell = 0;
    for (let each = 0; each < rule.at.length; each += 1) cell = cell * rule.sizes[each] + choice[rule.at[each]];
    return rule.cells[cell];
  }

  function settled(outcome, contradictions, choice) {
    const found = contradictions.find((one) => holds(one, choice));
    return found ? found.outcome : outcome;
  }

  /** The torch line whose life-cycle counts: a place in `lives`, or -1. */
  function lineOf(choice) {
    const { torch, torch_npu: torchNpu } = data.relations.lifeOf;
    return choice[AT.torch_npu] ? torchNpu[choice[AT.torch_npu]] : torch[choice[AT.torch]];
  }

  /** Calls `visit(outcome, core, kind, between)` for every relation of the choice. */
  function eachRelation(choice, visit) {
    for (const rule of rules) {
      const cell = cellOf(rule, choice);
      if (cell) {
        const outcome = rule.contradictions.length ? settled(cell, rule.contradictions, choice) : cell;
        visit(outcome, rule.core, rule.kind, rule.between);
      }
    }
    const line = lineOf(choice);
    if (line >= 0) visit(settled(lives[line], lifeContradictions, choice), false, "life-cycle", null);
    for (const one of breaks) if (holds(one, choice)) visit(one.outcome, true, "known-break", one.between);
  }

  function verdict(choice) {
    let worst = RECOMMENDED + 1;
    let hasCore = false;
    eachRelation(choice, (outcome, core) => {
      const level = levels[outcome - 1];
      if (core) hasCore = true;
      if ((core || level === BROKEN) && level < worst) worst = level;
    });
    return hasCore || worst === BROKEN ? worst : UNKNOWN;
  }

  /** The relations of the choice, as `judge` gives them. */
  function relations(choice) {
    const found = [];
    eachRelation(choice, (outcome, core, kind, between) => {
      const parts = between && between.filter((part) => choice[part]);
      const line = parts ? "" : data.relations.lives[lineOf(choice)].shown;
      found.push({ kind, core, outcome, level: levels[outcome - 1], parts: parts || [], line });
    });
    return found;
  }

  /* ---- words ---- */

  function nameOf(part, number) {
    if (part === KIN) return data.kins[number - 1] || "";
    return data.parts[part].values[number - 1] || "";
  }

  /** The sentence of an outcome; `shown(part)` gives the text for what is chosen of a part. */
  function sentence(outcome, language, shown) {
    const [, template, , ...values] = outcomes[outcome - 1];
    return data.texts.templates[template][language === "zh" ? 1 : 0]
      .map((piece) => (typeof piece === "string" ? piece : valueOf(values[piece], language, shown)))
      .join("");
  }

  function valueOf(value, language, shown) {
    if (value < 0) return shown(-1 - value);
    const text = data.texts.strings[value];
    return typeof text === "string" ? text : text[language === "zh" ? 1 : 0];
  }

  function sources(number) {
    return data.texts.sources[number].map((one) => data.texts.strings[one]);
  }

  function sourcesOf(outcome) {
    return sources(outcomes[outcome - 1][2]);
  }

  /* ---- pick ---- */

  function carrier(cann, wishes) {
    const driver = wishes[AT.driver];
    const firmware = wishes[AT.firmware];
    const kin = wishes[KIN];
    const options = driver ? named(kin, cann).filter((one) => one.driver === driver) : best(kin, cann);
    if (!firmware) return options[0];
    const family = wishes[AT.place] ? kinOfFamily.get(data.places[wishes[AT.place] - 1].family) : 0;
    const found = options.find((one) => {
      const asked = [];
      asked[AT.driver] = one.driver;
      asked[AT.firmware] = firmware;
      asked[KIN] = family;
      const cell = cellOf(firmwareRule, asked);
      return cell && levels[cell - 1] >= COMPATIBLE;
    });
    return found && { ...found, firmware };
  }

  function* candidates(wishes) {
    const place = wishes[AT.place] && data.places[wishes[AT.place] - 1];
    let age = 0;
    for (let cann = 1; cann <= canns.length; cann += 1) {
      const row = canns[cann - 1];
      const wanted = wishes[AT.cann] ? wishes[AT.cann] === cann : row.release;
      if (!wanted || (place && row.families && !row.families.has(place.family))) continue;
      const found = carrier(cann, wishes);
      if (!found && (wishes[AT.driver] || wishes[AT.firmware])) continue;
      for (const pair of pairs[cann - 1]) {
        if (wishes[AT.torch_npu] && wishes[AT.torch_npu] !== pair.torchNpu) continue;
        if (wishes[AT.torch] && wishes[AT.torch] !== torchOf[pair.torchNpu - 1]) continue;
        yield { cann, pair, carrier: found, age };
        age += 1;
      }
    }
  }

  function newestPython(pythons, cann, wished) {
    if (wished) return pythons.includes(wished) ? wished : 0;
    const listed = canns[cann - 1].python;
    return pythons.find((one) => !listed || listed.has(one)) || pythons[0] || 0;
  }

  /** Number of Python and of architecture; null where no wheel fits. */
  function pythonOf(candidate, wishes) {
    const wished = wishes[AT.arch];
    const fitting = wheels[candidate.pair.torchNpu - 1].filter((one) => !wished || one.arch === wished);
    if (!fitting.length) return null;
    const shared = fitting[0].pythons.filter((one) => fitting.every((wheel) => wheel.pythons.includes(one)));
    const common = newestPython(shared, candidate.cann, wishes[AT.python]);
    if (common) return { python: common, arch: wished };
    for (const wheel of fitting) {
      const single = newestPython(wheel.pythons, candidate.cann, wishes[AT.python]);
      if (single) return { python: single, arch: wheel.arch };
    }
    return null;
  }

  /** The candidate as a stack that is at least compatible, or null. */
  function stackOf(candidate, wishes) {
    const found = pythonOf(candidate, wishes);
    if (!found) return null;
    const torchNpu = candidate.pair.torchNpu;
    const choice = [];
    choice[AT.place] = wishes[AT.place];
    choice[AT.driver] = candidate.carrier ? candidate.carrier.driver : 0;
    choice[AT.firmware] = candidate.carrier ? candidate.carrier.firmware : 0;
    choice[AT.cann] = candidate.cann;
    choice[AT.torch] = torchOf[torchNpu - 1];
    choice[AT.torch_npu] = torchNpu;
    choice[AT.python] = found.python;
    choice[AT.arch] = found.arch;
    choice[KIN] = wishes[KIN];
    const level = verdict(choice);
    if (level < COMPATIBLE) return null;
    const expected = candidate.carrier ? Math.min(candidate.pair.level, candidate.carrier.level) : candidate.pair.level;
    const rank = Math.min(level, expected);
    return { choice, level, rank, old: isOld[torchNpu - 1], age: candidate.age, pair: candidate.pair };
  }

  /** All stacks that fulfil the wishes, best first. */
  function pick(wishes) {
    const found = [];
    for (const candidate of candidates(wishes)) {
      const stack = stackOf(candidate, wishes);
      if (stack) found.push(stack);
    }
    return found.sort((a, b) => a.old - b.old || b.rank - a.rank || a.age - b.age);
  }

  /** The best level of any stack that fulfils the wishes; BROKEN where there is none. */
  function bestLevel(wishes) {
    const key = wishes.join();
    if (!bestLevels.has(key)) {
      if (bestLevels.size > REMEMBERED) bestLevels.clear();
      bestLevels.set(key, searchedLevel(wishes));
    }
    return bestLevels.get(key);
  }

  function searchedLevel(wishes) {
    let found = BROKEN;
    for (const candidate of candidates(wishes)) {
      const stack = stackOf(candidate, wishes);
      if (stack && stack.level > found) {
        found = stack.level;
        if (found === RECOMMENDED) break;
      }
    }
    return found;
  }

  function isFulfilled(wishes) {
    for (const candidate of candidates(wishes)) if (stackOf(candidate, wishes)) return true;
    return false;
  }

  /** The smallest set of chosen parts that clash, and those of them whose dropping helps, each with its best stack. */
  function conflict(wishes) {
    const chosen = PARTS.map((_, part) => part).filter((part) => wishes[part]);
    const clashing = subsets(chosen).find((some) => !isFulfilled(only(wishes, some))) || chosen;
    const waysOut = clashing
      .map((part) => ({ part, stack: pick(changed(wishes, part, 0))[0] }))
      .filter((one) => one.stack);
    return { clashing, waysOut };
  }

  /** The subsets of `items` but the empty one, small ones first, each in the order of the items. */
  function subsets(items) {
    const found = [];
    for (let size = 1; size <= items.length; size += 1) combine(items, size, 0, [], found);
    return found;
  }

  function combine(items, size, from, taken, found) {
    if (taken.length === size) {
      found.push(taken);
      return;
    }
    for (let at = from; at < items.length; at += 1) combine(items, size, at + 1, [...taken, items[at]], found);
  }

  function only(wishes, parts) {
    return wishes.map((number, part) => (parts.includes(part) || (part === KIN && parts.includes(AT.place)) ? number : 0));
  }

  /** The choice with another number for one part. */
  function changed(choice, part, number) {
    const found = choice.slice();
    found[part] = number;
    if (part === AT.place) found[KIN] = number ? data.places[number - 1].kin : 0;
    return found;
  }

  /* ---- why a value is out ---- */

  function offences(choice) {
    const found = [];
    eachRelation(choice, (outcome, core, kind, between) => {
      const level = levels[outcome - 1];
      if (level === BROKEN || (core && level === UNKNOWN)) found.push({ outcome, level, between: between || [] });
    });
    return found;
  }

  /** The choices with the fewest and mildest offences, and those offences. */
  function mildest(choices) {
    let found = null;
    for (const choice of choices) {
      const against = offences(choice);
      const worst = Math.min(RECOMMENDED, ...against.map((one) => one.level));
      const isBetter =
        !found || worst > found.worst || (worst === found.worst && against.length < found.against.length);
      if (isBetter) found = { worst, against, choice };
      if (!against.length) break;
    }
    return found;
  }

  function withArches(choice) {
    if (choice[AT.arch] || !choice[AT.python]) return [choice];
    return data.parts[AT.arch].values.map((_, place) => changed(choice, AT.arch, place + 1));
  }

  function withTorchNpu(choice, torchNpu) {
    return changed(changed(choice, AT.torch_npu, torchNpu), AT.torch, torchOf[torchNpu - 1]);
  }

  /**
   * Why no stack has this value beside the other choices: `against` holds the relations of the nearest set, `choice`.
   * `word` names the sentence where no relation speaks; `isClash` tells that the other choices alone have no stack.
   */
  function whyOut(wishes, part, number, isClash) {
    const choice = changed(wishes, part, number);
    const direct = mildest(withArches(choice));
    if (direct.against.some((one) => touches(one, part))) {
      return { ...direct, against: direct.against.filter((one) => touches(one, part)) };
    }
    if (part !== AT.place && bestLevel(changed(EMPTY, part, number)) === BROKEN) {
      return { against: [], word: `alone-${PARTS[part]}`, choice };
    }
    if (isClash || direct.against.length) return { against: [], word: "others-clash", choice };
    return viaDriver(choice) || viaTorchNpu(choice);
  }

  /** What keeps the drivers of the chosen firmware away; null where nothing does, or the driver is chosen. */
  function viaDriver(choice) {
    if (!choice[AT.firmware] || choice[AT.driver]) return null;
    const own = data.parts[AT.driver].values
      .map((_, place) => changed(choice, AT.driver, place + 1))
      .filter((one) => cellOf(firmwareRule, one) && levels[cellOf(firmwareRule, one) - 1] >= COMPATIBLE);
    const nearest = mildest(own);
    return nearest && nearest.against.length ? nearest : null;
  }

  function viaTorchNpu(choice) {
    const releases = choice[AT.torch_npu] ? [choice[AT.torch_npu]] : releasesFor(choice);
    const nearest = mildest(releases.flatMap((one) => withArches(withTorchNpu(choice, one))));
    if (!nearest) return { against: [], word: "others-clash", choice };
    return nearest.against.length ? nearest : viaCann(choice, releases);
  }

  function touches(offence, part) {
    return offence.between.includes(part);
  }

  function releasesFor(choice) {
    return installable.filter((one) => !choice[AT.torch] || torchOf[one - 1] === choice[AT.torch]);
  }

  function viaCann(choice, releases) {
    const options = [];
    canns.forEach((row, place) => {
      if (choice[AT.cann] ? choice[AT.cann] !== place + 1 : !row.release) return;
      for (const pair of pairs[place]) {
        if (releases.includes(pair.torchNpu)) {
          options.push(...withArches(changed(withTorchNpu(choice, pair.torchNpu), AT.cann, place + 1)));
        }
      }
    });
    const nearest = options.length ? mildest(options) : null;
    if (nearest && nearest.against.length) return nearest;
    return { against: [], word: "no-set-with-it", choice };
  }

  /* ---- commands ---- */

  function commands(stack) {
    const { choice } = stack;
    const place = choice[AT.place] && data.places[choice[AT.place] - 1];
    const family = place ? data.commands.families.indexOf(place.family) + 1 : 0;
    const arch = choice[AT.arch];
    const arches = SIZES[AT.arch];
    const hdk = ((family * SIZES[AT.driver] + choice[AT.driver]) * SIZES[AT.firmware] + choice[AT.firmware]) * arches + arch;
    const cann = (family * canns.length + choice[AT.cann] - 1) * arches + arch;
    const python = (stack.pair.place * (SIZES[AT.python] - 1) + choice[AT.python] - 1) * arches + arch;
    return [hdkCommands[hdk], cannCommands[cann], pythonCommands[python]]
      .flatMap((list) => data.commands.lists[list])
      .map((command) => data.commands.commands[command].map((piece) => filled(piece, choice)).join(""));
  }

  function filled(piece, choice) {
    return typeof piece === "string" ? piece : nameOf(-1 - piece, choice[-1 - piece]);
  }

  return {
    PARTS,
    AT,
    KIN,
    EMPTY,
    changed,
    verdict,
    relations,
    pick,
    bestLevel,
    isFulfilled,
    conflict,
    whyOut,
    commands,
    sentence,
    templateOf: (outcome) => outcomes[outcome - 1][1],
    sources,
    sourcesOf,
    nameOf,
  };
}
