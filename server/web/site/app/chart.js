// Small charts: a line over time, the bars of a histogram, and a bar of shares. Each is a picture
// with a sentence for screen readers.

import { h, svg, show } from './dom.js';

const WIDTH = 240;
const HEIGHT = 36;

// `values` from old to new; gaps of unknown ones are closed.
export function sparkline(values, label) {
  const known = values.filter((value) => value !== undefined);
  const most = Math.max(...known, 1e-9);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = [];
  values.forEach((value, at) => {
    if (value !== undefined) points.push([at * step, HEIGHT - 2 - (value / most) * (HEIGHT - 4)]);
  });
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'sparkline', role: 'img', 'aria-label': label,
                      preserveAspectRatio: 'none' },
             points.length > 1 && svg('polygon', { class: 'area', points: `${points[0][0]},${HEIGHT} ${line} ${points.at(-1)[0]},${HEIGHT}` }),
             svg('polyline', { class: 'line', points: line, 'vector-effect': 'non-scaling-stroke' }));
}

// `bars`: [{name, value}]; only the names of the first, the middle and the last are shown, each
// once.
export function histogram(bars, label) {
  const most = Math.max(...bars.map((bar) => bar.value), 1);
  const wide = WIDTH / Math.max(bars.length, 1);
  const tall = HEIGHT * 2;
  return h('div', { class: 'histogram' },
           svg('svg', { viewBox: `0 0 ${WIDTH} ${tall}`, role: 'img', 'aria-label': label, preserveAspectRatio: 'none' },
               bars.map(({ name, value }, at) => {
                 const height = value === 0 ? 1 : Math.max(3, (value / most) * (tall - 2));
                 return svg('rect', { x: (at * wide + 1).toFixed(1), y: (tall - height).toFixed(1), width: Math.max(wide - 2, 1).toFixed(1),
                                      height: height.toFixed(1), class: value === 0 ? 'none' : 'bar' },
                            svg('title', {}, `${name}: ${value}`));
               })),
           h('div', { class: 'scale', 'aria-hidden': 'true' },
             [...new Set([bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)])].filter(Boolean)
               .map(({ name }) => h('span', {}, name))));
}

// `shares`: [{kind, name, value}]
export function shares(list, label) {
  const total = list.reduce((sum, { value }) => sum + value, 0);
  let x = 0;
  const bar = svg('svg', { viewBox: `0 0 ${WIDTH} 12`, class: 'shares', role: 'img', 'aria-label': label, preserveAspectRatio: 'none' });
  for (const { kind, name, value } of list) {
    if (value === 0 || total === 0) continue;
    const width = (value / total) * WIDTH;
    bar.append(svg('rect', { x: x.toFixed(2), y: '0', width: width.toFixed(2), height: '12', class: `fill-${kind}` },
                   svg('title', {}, `${name}: ${value}`)));
    x += width;
  }
  return bar;
}

// A value with its name; set(value, ...more) changes it.
export function figure(name, hint) {
  const value = h('dd', {}, '–');
  const more = h('dd', { class: 'more' });
  return {
    element: h('div', { class: 'figure', title: hint }, h('dt', {}, name), value, more),
    set: (text, ...rest) => {
      show(value, text);
      show(more, rest);
    },
  };
}
