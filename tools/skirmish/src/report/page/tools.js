'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const TICKS_A_SECOND = 30;

const byId = (id) => document.getElementById(id);
const VECTOR = byId('mark').namespaceURI;

function fillIn(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') made.textContent = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/* An element of the page, and one of a drawing. */
const make = (name, attributes = {}, ...children) => fillIn(document.createElement(name), attributes, children);
const draw = (name, attributes = {}, ...children) => fillIn(document.createElementNS(VECTOR, name), attributes, children);

/* A number as people read it: four digits or so, thousands apart. */
function number(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  const places = digits ?? (Number.isInteger(value) || size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3);
  const [whole, rest] = value.toFixed(places).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') : whole;
  return rest ? `${grouped}.${rest}` : grouped;
}

const seconds = (tick) => `${(tick / TICKS_A_SECOND).toFixed(2)} s`;

/* Draws now, and again whenever the element has another width. */
function onWidth(element, redraw) {
  let drawn = element.getBoundingClientRect().width;
  redraw();
  new ResizeObserver(() => requestAnimationFrame(() => {
    const { width } = element.getBoundingClientRect();
    if (width === drawn) return;
    drawn = width;
    redraw();
  })).observe(element);
}

/* A machine's colour: the host has the ink, clients take turns. */
const colour = (machine) => machine === 0 ? 'var(--c0)' : `var(--c${1 + (machine - 1) % 7})`;

/* The time that the whole page shows, in ticks since the first; whoever shows it listens. */
const moment = {
  tick: 0,
  last: Math.max(0, data.ticks - 1),
  listeners: [],
  set(tick) {
    this.tick = Math.min(this.last, Math.max(0, tick));
    for (const listener of this.listeners) listener(this.tick);
  },
};

/* The client whose view is shown. */
const chosen = {
  machine: null,
  listeners: [],
  set(machine) {
    this.machine = machine;
    for (const listener of this.listeners) listener(machine);
  },
};
