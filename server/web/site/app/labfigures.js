// What `chirp lab --json` has measured of this world under each policy, beside the stage: as the
// server was given it, or out of a file that is read in the browser and goes nowhere.

import { h, show } from './dom.js';
import { bytes, count, duration, exactCount } from './format.js';

const COLUMNS = [
  ['deliveries', 'deliveries', count],
  ['timelineBytes', 'of timelines', bytes],
  ['bytesWritten', 'written', bytes],
  ['sourcesARead', 'sources a read', (n) => n.toFixed(1)],
  ['p50Micros', 'a read, half within', (n) => duration(n / 1e6)],
  ['p99Micros', 'a read, 99 %', (n) => duration(n / 1e6)],
  ['processorSeconds', 'processor of the day', duration],
];

// The rows of a table out of a text, or a sentence that says what it lacks.
export function labRows(text) {
  try {
    const lab = JSON.parse(text);
    if (Array.isArray(lab?.runs) && lab.runs.length > 0) return rowsOf(lab);
    return 'There are no runs in this file. Write it with: chirp lab --json';
  } catch {
    return 'This is no JSON. Write the file with: chirp lab --json';
  }
}

// As the lab names a run: those of hybrid differ by the followers above whom an author is pulled.
function nameOf({ policy, threshold, hotSet }) {
  return `${policy}${typeof threshold === 'number' ? ` above ${exactCount(threshold)}` : ''}${hotSet ? ', hot set' : ''}`;
}

// A figure that is not there is left out.
function rowsOf(lab) {
  return lab.runs.map((run) => ({
    name: nameOf(run),
    isCheapest: lab.cheapest ? nameOf(run) === nameOf(lab.cheapest) : false,
    values: COLUMNS.map(([key, , say]) => (typeof run[key] === 'number' ? say(run[key]) : '–')),
  }));
}

// `lab` is what the server was given, if it was given any.
export function labPanel(lab) {
  const place = h('div', { class: 'lab-table' });
  const file = h('input', { type: 'file', accept: '.json,application/json', 'aria-label': 'The file of chirp lab --json',
                            on: { change: read } });
  async function read() {
    if (!file.files[0]) return;
    const rows = labRows(await file.files[0].text());
    if (typeof rows === 'string') show(place, h('p', { role: 'alert' }, rows));
    else draw(rows);
  }
  function draw(rows) {
    show(place, h('table', { class: 'lab' },
      h('caption', {}, 'By chirp lab on copies of a world: the same posts and the same pages, other costs. Not of the server that you see.'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'policy'), COLUMNS.map(([, name]) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, rows.map(({ name, isCheapest, values }) =>
        h('tr', { class: isCheapest ? 'cheapest' : null }, h('th', { scope: 'row' }, isCheapest ? `${name} (cheapest)` : name),
          values.map((value) => h('td', {}, value)))))));
  }
  if (lab) draw(rowsOf(lab));
  return h('section', { class: 'card', 'aria-labelledby': 'lab-title' },
           h('h2', { id: 'lab-title' }, 'The same posts under each policy'),
           h('p', { class: 'quiet' }, lab ? 'Another file: ' : ['Open what ', h('code', {}, 'chirp lab --json > lab.json'), ' has written: '], file), place);
}
