/* The plots: lines, stacked areas and bars over the game's time. */

const EDGE = { left: 48, right: 10, top: 14, bottom: 22 };
/* More lines than this are drawn faint, with the median, the largest and the chosen client's beside them. */
const MOST_LINES = 8;
/* Of lines that may lie on one another. */
const DASHES = ['', '9 5', '2 4', '12 4 2 4', '5 9', '1 7', '16 6'];
/* A peak so many times as high as all but a hundredth is cut off, and told. */
const PEAK = 4;

/* A scale's round end and step. */
function scale(most) {
  if (!(most > 0)) return { end: 1, step: 0.5 };
  const rough = most / 3.2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((part) => part * power).find((step) => step >= rough);
  return { end: step * Math.ceil(most / step - 1e-9), step };
}

const machineOf = (name) => Number((/^machine (\d+)$/.exec(name) ?? [])[1]);

/* What a line is called where it is read: a client by its players. */
const titleOf = (name) => Number.isNaN(machineOf(name)) ? name.replaceAll('_', ' ') : machineName(machineOf(name));

/* What is drawn of a series: its lines with their looks, and how they are read. */
function looksOf(series, kind) {
  const lines = series.lines.map((line, index) => {
    const machine = machineOf(line.name);
    const known = !Number.isNaN(machine);
    return {
      ...line,
      colour: known ? colour(machine) : line.name === 'host' ? 'var(--c1)' : `var(--c${1 + index % 8})`,
      dash: kind === 'lines' && !known ? DASHES[index % DASHES.length] : '',
      looks: !known ? '' : machine === chosen.machine ? ' chosen' : ' other',
    };
  });
  if (lines.length <= MOST_LINES) return { lines, faint: [] };
  const at = (bin) => lines.map((line) => line.values[bin]).filter((value) => value !== null).sort((a, b) => a - b);
  const bins = lines[0].values.map((_, bin) => at(bin));
  if (kind === 'bars') {
    const sum = (values) => values.reduce((a, b) => a + b, 0);
    return { lines: [{ name: 'all clients', values: bins.map(sum), colour: 'var(--c1)', dash: '' }], faint: [] };
  }
  const shown = [
    { name: 'largest', values: bins.map((sorted) => sorted.at(-1) ?? null), colour: 'var(--c2)', dash: '' },
    { name: 'median', values: bins.map((sorted) => sorted[sorted.length >> 1] ?? null), colour: 'var(--c1)', dash: '' },
  ];
  const own = lines.find((line) => machineOf(line.name) === chosen.machine);
  if (own) shown.push({ ...own, colour: 'var(--c3)', dash: '' });
  return { lines: shown, faint: lines };
}

class Plot {
  /* `views` names each choice of the toggles, joined by a space, and has its series. */
  constructor({ title, unit, kind, toggles = [], views }) {
    Object.assign(this, { title, kind, views, unitOf: unit });
    this.choice = toggles.map((options) => options[0]);
    this.unit = make('span', { class: 'unit' });
    const groups = toggles.map((options, place) => this.toggle(options, place));
    const caption = make('figcaption', {}, make('b', { text: title }), make('span', { class: 'toggles' }, ...groups), this.unit);
    this.drawing = draw('svg', { role: 'img' });
    this.key = make('ul', { class: 'key' });
    byId('plots').append(make('figure', {}, caption, this.drawing, this.key));
    this.hover = null;
    this.listen();
    onWidth(this.drawing, () => this.draw());
    moment.listeners.push(() => this.mark());
    chosen.listeners.push(() => this.draw());
  }

  toggle(options, place) {
    const buttons = options.map((option) => make('button', { type: 'button', text: option, 'aria-pressed': option === options[0] }));
    for (const button of buttons) {
      button.addEventListener('click', () => {
        this.choice[place] = button.textContent;
        for (const other of buttons) other.setAttribute('aria-pressed', other === button);
        this.draw();
      });
    }
    return make('span', { class: 'toggle', role: 'group', 'aria-label': this.title }, ...buttons);
  }

  listen() {
    const tick = (event) => {
      const box = this.drawing.getBoundingClientRect();
      const share = (event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right);
      return Math.min(moment.last, Math.max(0, share * data.ticks));
    };
    this.drawing.addEventListener('pointermove', (event) => {
      this.hover = tick(event);
      if (event.buttons & 1) moment.set(Math.round(this.hover));
      this.mark();
    });
    this.drawing.addEventListener('pointerleave', () => {
      this.hover = null;
      this.mark();
    });
    this.drawing.addEventListener('pointerdown', (event) => moment.set(Math.round(tick(event))));
  }

  draw() {
    const series = this.views[this.choice.join(' ')];
    const { width, height } = this.drawing.getBoundingClientRect();
    if (width < 50) return;
    const looks = looksOf(series, this.kind);
    Object.assign(this, { width, height, every: series.every, lines: looks.lines });
    this.unit.textContent = typeof this.unitOf === 'string' ? this.unitOf : this.unitOf(...this.choice);
    this.stack();
    const most = this.fit(looks.faint.length ? looks.faint : this.lines);
    this.most = most;
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.drawing.setAttribute('aria-label', `${this.title}, ${this.unit.textContent}: at most ${number(most)}`);
    this.marks = draw('g');
    const bodies = [...looks.faint.map((line) => draw('path', { class: 'faint', d: this.path(line.values) })), ...this.lines.map((line) => this.body(line)).reverse()];
    const inside = draw('svg', { x: 0, y: EDGE.top - 3, width, height: height - EDGE.top + 3, viewBox: `0 ${EDGE.top - 3} ${width} ${height - EDGE.top + 3}`, class: 'inside' }, ...bodies);
    this.drawing.replaceChildren(...this.axes(), inside, ...this.peak(), this.marks);
    if (most === 0) {
      this.drawing.append(draw('text', { class: 'nothing', 'text-anchor': 'middle', x: (EDGE.left + width) / 2, y: height / 2, text: 'none in the whole game' }));
    }
    const key = this.lines.map((line) => this.keyOf(line));
    this.key.replaceChildren(...(most === 0 ? [] : key));
    this.mark();
  }

  /* Sets the scale, and says the largest value. A peak that would flatten all the rest is cut off. */
  fit(lines) {
    const bins = (lines[0]?.values ?? []).map((_, bin) => Math.max(0, ...lines.map((line) => (line.tops ?? line.values)[bin] ?? 0)));
    const most = Math.max(0, ...bins);
    const usual = [...bins].sort((a, b) => a - b)[Math.floor(bins.length * 0.985)] ?? 0;
    const cuts = usual > 0 && most > PEAK * usual;
    this.cut = cuts ? { value: most, bin: bins.indexOf(most) } : null;
    this.scale = scale(cuts ? usual * 1.25 : most);
    return most;
  }

  peak() {
    if (!this.cut) return [];
    const x = this.middle(this.cut.bin);
    const anchor = x > this.width / 2 ? 'end' : 'start';
    const text = `↑ ${number(this.cut.value)} at ${seconds(this.cut.bin * this.every)}`;
    return [draw('text', { x: x + (anchor === 'end' ? -6 : 6), y: EDGE.top + 9, 'text-anchor': anchor, class: 'peak', text })];
  }

  /* Where each line of a stack begins and ends. */
  stack() {
    if (this.kind === 'lines') return;
    let base = [];
    for (const line of this.lines) {
      line.bases = base;
      line.tops = line.values.map((value, bin) => (base[bin] ?? 0) + (value ?? 0));
      base = line.tops;
    }
  }

  x(tick) {
    return EDGE.left + tick / Math.max(1, data.ticks) * (this.width - EDGE.left - EDGE.right);
  }

  y(value) {
    return this.height - EDGE.bottom - value / this.scale.end * (this.height - EDGE.top - EDGE.bottom);
  }

  axes() {
    const parts = [];
    for (let value = 0; value <= this.scale.end * 1.001; value += this.scale.step) {
      const y = this.y(value);
      parts.push(draw('line', { class: value ? 'gridline' : 'axis', x1: EDGE.left, x2: this.width - EDGE.right, y1: y, y2: y }));
      if (this.most > 0 || value === 0) parts.push(draw('text', { x: EDGE.left - 8, y: y + 4, 'text-anchor': 'end', text: number(value, Number.isInteger(value) ? 0 : Math.ceil(-Math.log10(this.scale.step) + 0.4)) }));
    }
    const whole = data.ticks / TICKS_A_SECOND;
    const { step } = scale(whole * 0.5);
    for (let second = 0; second <= whole + 1e-6; second += step) {
      const x = this.x(second * TICKS_A_SECOND);
      const anchor = x > this.width - 30 ? 'end' : 'middle';
      parts.push(draw('text', { x, y: this.height - 5, 'text-anchor': anchor, text: `${Number(second.toPrecision(6))} s` }));
    }
    return parts;
  }

  /* The middle of a bin. */
  middle(bin) {
    return this.x(Math.min(data.ticks, (bin + 0.5) * this.every));
  }

  path(values) {
    let path = '';
    let open = false;
    values.forEach((value, bin) => {
      if (value !== null) path += `${open ? 'L' : 'M'}${this.middle(bin).toFixed(1)} ${this.y(value).toFixed(1)}`;
      open = value !== null;
    });
    return path;
  }

  body(line) {
    const style = `--c: ${line.colour}`;
    if (this.kind === 'lines') return draw('path', { class: `line${line.looks ?? ''}`, style, d: this.path(line.values), 'stroke-dasharray': line.dash });
    let path = '';
    if (this.kind === 'bars') {
      line.values.forEach((value, bin) => {
        if (!value) return;
        const [from, to] = [this.x(bin * this.every) + 1, this.x(Math.min(data.ticks, (bin + 1) * this.every)) - 1];
        path += `M${from} ${this.y(line.bases[bin] ?? 0)}V${this.y(line.tops[bin])}H${to}V${this.y(line.bases[bin] ?? 0)}Z`;
      });
    } else if (line.tops.length) {
      const point = (values, bin) => `${this.middle(bin).toFixed(1)} ${this.y(values[bin] ?? 0).toFixed(1)}`;
      const bins = line.tops.map((_, bin) => bin);
      path = `M${bins.map((bin) => point(line.tops, bin)).join('L')}L${bins.reverse().map((bin) => point(line.bases, bin)).join('L')}Z`;
    }
    return draw('path', { class: 'area', style, d: path });
  }

  keyOf(line) {
    line.read = make('output', { 'aria-live': 'off' });
    const sample = this.kind === 'lines'
      ? draw('line', { x1: 0, x2: 20, y1: 4, y2: 4, stroke: line.colour, 'stroke-width': 2.4, 'stroke-dasharray': line.dash })
      : draw('rect', { x: 4, width: 12, height: 8, rx: 2, fill: line.colour });
    return make('li', {}, draw('svg', { viewBox: '0 0 20 8', 'aria-hidden': 'true' }, sample), titleOf(line.name), line.read);
  }

  /* Shows the replay's time, and the values there or under the pointer. */
  mark() {
    if (!this.marks) return;
    const now = this.x(moment.tick);
    const ends = { y1: EDGE.top, y2: this.height - EDGE.bottom };
    const parts = [draw('line', { class: 'now', x1: now, x2: now, ...ends })];
    const tick = this.hover ?? moment.tick;
    const bin = Math.floor(tick / this.every);
    if (this.hover !== null) {
      const x = this.middle(bin);
      const anchor = x > this.width - 60 ? 'end' : x < 80 ? 'start' : 'middle';
      parts.push(draw('line', { class: 'at', x1: x, x2: x, ...ends }), draw('text', { x, y: 10, 'text-anchor': anchor, text: seconds(bin * this.every) }));
    }
    for (const line of this.lines) {
      const value = line.values[bin] ?? null;
      line.read.textContent = number(value);
      if (value !== null && value <= this.scale.end && this.kind === 'lines') {
        parts.push(draw('circle', { class: 'point', style: `--c: ${line.colour}`, r: 3.5, cx: this.middle(bin), cy: this.y(value) }));
      }
    }
    this.marks.replaceChildren(...parts);
  }
}

function showPlots() {
  const { round_trip, down, up, corrections, distance, host_tick } = data.plots;
  const ways = { 'to clients': down, 'to the host': up };
  const sent = (of) => Object.fromEntries(Object.entries(ways).map(([way, sent]) => [way, sent[of]]));
  const whose = (way) => way === 'to clients' ? 'a tick, by the host to all clients' : 'a tick, by all clients';
  new Plot({ title: 'Distance between views', unit: (which) => `wu, the ${which} of a client’s copies`, kind: 'lines', toggles: [['mean', 'largest']], views: distance });
  new Plot({ title: 'Round trip', unit: 'ms', kind: 'lines', views: { '': round_trip } });
  new Plot({ title: 'Bytes sent', unit: whose, kind: 'areas', toggles: [Object.keys(ways)], views: sent('bytes') });
  new Plot({ title: 'Datagrams with a kind', unit: whose, kind: 'lines', toggles: [Object.keys(ways)], views: sent('datagrams') });
  new Plot({ title: 'Corrections', unit: `of own players, each ${number(corrections.every / TICKS_A_SECOND)} s`, kind: 'bars', views: { '': corrections } });
  new Plot({ title: 'The host’s time a tick', unit: 'µs of netcode', kind: 'lines', toggles: host_tick.mean.every > 1 ? [['mean', 'largest']] : [], views: { '': host_tick.mean, ...host_tick } });
}
