// The results of `chirp lab --json` for this world under each policy, next to the stage: as given
// to the server, or from a file that is read in the browser and is not sent anywhere.

import { h, show } from './dom.js';
import { bytes, count, duration, exactCount } from './format.js';

const COLUMNS = [
  ['deliveries', 'deliveries', count],
  ['timelineBytes', 'bytes of timelines', bytes],
  ['bytesWritten', 'written', bytes],
  ['sourcesARead', 'sources per read', (n) => n.toFixed(1)],
  ['p50Micros', 'median time of a read', (n) => duration(n / 1e6)],
  ['p99Micros', 'p99 time of a read', (n) => duration(n / 1e6)],
  ['processorSeconds', 'processor time of the day', duration],
];

// Returns the rows of a table from a text, or a sentence that says what is missing.
export function labRows(text) {
  try {
    const lab = JSON.parse(text);
    if (Array.isArray(lab?.runs) && lab.runs.length > 0) return rowsOf(lab);
    return 'This file contains no runs. Write it with: chirp lab --json';
  } catch {
    return 'This file is not JSON. Write it with: chirp lab --json';
  }
}

// The lab's name of a run: hybrid runs differ by the follower count above which an author is pulled.
function nameOf({ policy, threshold, hotSet }) {
  return `${policy}${typeof threshold === 'number' ? ` above ${exactCount(threshold)}` : ''}${hotSet ? ', hot set' : ''}`;
}

// Leaves out a missing figure.
function rowsOf(lab) {
  return lab.runs.map((run) => ({
    name: nameOf(run),
    isCheapest: lab.cheapest ? nameOf(run) === nameOf(lab.cheapest) : false,
    values: COLUMNS.map(([key, , say]) => (typeof run[key] === 'number' ? say(run[key]) : '–')),
  }));
}

// `lab` has the results given to the server, if any.
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
      h('caption', {}, 'Measured by chirp lab on copies of a directory: the same posts and pages, with different costs. These are not figures of this server.'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'policy'), COLUMNS.map(([, name]) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, rows.map(({ name, isCheapest, values }) =>
        h('tr', { class: isCheapest ? 'cheapest' : null }, h('th', { scope: 'row' }, isCheapest ? `${name} (cheapest)` : name),
          values.map((value) => h('td', {}, value)))))));
  }
  if (lab) draw(rowsOf(lab));
  return h('section', { class: 'card', 'aria-labelledby': 'lab-title' },
           h('h2', { id: 'lab-title' }, 'The same posts under each policy'),
           h('p', { class: 'quiet' }, lab ? 'Another file: ' : ['Open the file that ', h('code', {}, 'chirp lab --json > lab.json'), ' wrote: '], file), place);
}
