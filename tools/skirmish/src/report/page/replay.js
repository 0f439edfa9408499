/* The replay: every machine's places, drawn from above. */

const TRAIL_TICKS = 60;
/* A change of place between two frames that is a jump, not a move, in wu a tick. */
const JUMP = 0.6;
/* Rows of the table of players. */
const ROWS = 16;
const FOLLOWED_WU = 9;

/* A track's places by frame; NaN where the player was not. */
function unpack(track, frames) {
  const columns = Array.from({ length: 4 }, () => new Float32Array(frames).fill(NaN));
  for (const { at, steps } of track.runs) {
    const sums = [0, 0, 0, 0];
    for (let step = 0; step < steps.length; step += 1) {
      sums[step % 4] += steps[step];
      columns[step % 4][at + (step >> 2)] = sums[step % 4] / (step % 4 === 3 ? 1 : 1000);
    }
  }
  const [x, y, z, facing] = columns;
  return { x, y, z, facing };
}

class Replay {
  constructor() {
    const { every, frames, machines } = data.replay;
    this.every = every;
    this.frames = frames;
    this.machines = new Map(machines.map(({ machine, tracks }) => [machine, new Map(tracks.map((track) => [track.slot, unpack(track, frames)]))]));
    this.canvas = byId('map');
    this.pen = this.canvas.getContext('2d');
    this.playing = false;
    const [across, up] = data.map ? [0, 1].map((axis) => data.map.most[axis] - data.map.least[axis]) : [2, 1];
    this.shape = up / across;
    byId('map').closest('.stage').classList.toggle('broad', this.shape < 0.5 || innerWidth < 760);
    this.fillChoices();
    this.fillTable();
    this.fillMarks();
    this.listen();
    this.readColours();
    onWidth(this.canvas.parentElement, () => this.resize());
  }

  fillChoices() {
    const clients = [...this.machines.keys()].filter((machine) => machine > 0);
    byId('client').append(...clients.map((machine) => make('option', { value: machine, text: `${machineName(machine)}, machine ${machine}` })));
    if (!clients.length) byId('client').append(make('option', { value: '', text: 'none' }));
    const players = data.players.map(({ slot, name }) => make('option', { value: slot, text: name }));
    byId('follow').append(make('option', { value: '', text: 'the whole map' }), ...players);
    const left = data.summary.clients.filter((client) => client.joined).length - clients.length;
    const thinned = [];
    if (this.every > 1) thinned.push(`The replay has a place for every ${this.every} ticks and draws straight lines between.`);
    if (left > 0) thinned.push(`It has the views of ${clients.length} clients; ${left} more are left out, to keep the page small.`);
    byId('thinned').textContent = thinned.join(' ');
  }

  fillTable() {
    this.rows = data.players.slice(0, ROWS).map(({ slot, name, machine }) => {
      const apart = make('td');
      const dot = make('span', { class: 'dot', style: `--c: ${colour(machine)}` });
      byId('players').tBodies[0].append(make('tr', {}, make('td', {}, dot, name), apart));
      return { slot, machine, apart };
    });
    const more = data.players.length - ROWS;
    byId('more').hidden = more <= 0;
    byId('more').textContent = `and ${more} more`;
  }

  /* The ends of lives, and where the machines first disagreed. */
  fillMarks() {
    const mark = (tick, name) => byId('marks').append(make('i', { class: name, style: `left: ${100 * tick / Math.max(1, moment.last)}%` }));
    for (const { runs } of data.replay.machines[0]?.tracks ?? []) {
      for (const { at, steps } of runs) {
        const end = at + steps.length / 4;
        if (end < this.frames) mark(end * this.every, 'death');
      }
    }
    const { first } = data.summary.agreement;
    if (first) mark(Math.max(0, first.tick - data.first), 'fault');
  }

  listen() {
    const scrub = byId('scrub');
    scrub.max = moment.last;
    scrub.addEventListener('input', () => moment.set(Number(scrub.value)));
    byId('play').addEventListener('click', () => this.toggle());
    byId('client').addEventListener('change', () => chosen.set(Number(byId('client').value)));
    for (const id of ['follow', 'magnify', 'trails']) byId(id).addEventListener('change', () => this.draw());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.readColours();
      this.draw();
    });
    document.addEventListener('keydown', (event) => this.key(event));
    moment.listeners.push(() => this.show());
    chosen.listeners.push(() => this.draw());
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select, .wide')) return;
    const onButton = event.target.closest('button, input[type="checkbox"], a');
    const step = event.shiftKey ? TICKS_A_SECOND : this.every;
    const to = { ArrowLeft: moment.tick - step, ArrowRight: moment.tick + step, Home: 0, End: moment.last }[event.key];
    if (event.key === ' ' && !onButton) this.toggle();
    else if (to !== undefined) moment.set(Math.round(to));
    else return;
    event.preventDefault();
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && moment.tick >= moment.last) moment.set(0);
    const button = byId('play');
    button.setAttribute('aria-pressed', this.playing);
    button.querySelector('span').textContent = this.playing ? 'Pause' : 'Play';
    button.querySelector('path').setAttribute('d', this.playing ? 'M4 3h4.5v14H4zM11.5 3H16v14h-4.5z' : 'M5 2.5v15l12-7.5z');
    if (this.playing) {
      this.shownAt = null;
      requestAnimationFrame((now) => this.run(now));
    }
  }

  run(now) {
    if (!this.playing) return;
    const since = Math.min(200, now - (this.shownAt ?? now));
    this.shownAt = now;
    moment.set(moment.tick + since / 1000 * TICKS_A_SECOND * Number(byId('speed').value));
    if (moment.tick >= moment.last) this.toggle();
    else requestAnimationFrame((now) => this.run(now));
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = new Proxy({}, { get: (_, name) => style.getPropertyValue(`--${name}`).trim() });
    this.shades = Object.fromEntries(['ground', 'wall', 'edge', 'ink', 'soft', 'panel', 'alert'].map((name) => [name, this.colours[name]]));
    this.machineShades = new Map(data.players.map(({ machine }) => [machine, this.colours[colour(machine).slice(6, -1)]]));
  }

  resize() {
    const width = this.canvas.parentElement.clientWidth;
    const height = Math.round(Math.min(Math.max(width * this.shape + 28, 190), Math.max(320, innerHeight * 0.72)));
    const dense = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * dense);
    this.canvas.height = Math.round(height * dense);
    this.canvas.style.height = `${height}px`;
    Object.assign(this, { width, height, dense });
    this.show();
  }

  /* A player as a machine has it at a tick; null where it has none. */
  place(machine, slot, tick) {
    const track = this.machines.get(machine)?.get(slot);
    if (!track) return null;
    const frame = Math.min(this.frames - 1, tick / this.every);
    const [at, share] = [Math.floor(frame), frame % 1];
    if (Number.isNaN(track.x[at])) return null;
    const next = Math.min(at + 1, this.frames - 1);
    const moved = Math.hypot(track.x[next] - track.x[at], track.y[next] - track.y[at]);
    const part = moved < JUMP * this.every ? share : 0;
    const between = (column) => part ? column[at] + (column[next] - column[at]) * part : column[at];
    const turned = part ? ((track.facing[next] - track.facing[at]) % 360 + 540) % 360 - 180 : 0;
    return { x: between(track.x), y: between(track.y), z: between(track.z), facing: (track.facing[at] + turned * part) * Math.PI / 180 };
  }

  show() {
    const { tick } = moment;
    byId('scrub').value = Math.round(tick);
    byId('scrub').setAttribute('aria-valuetext', seconds(tick));
    byId('time').replaceChildren(make('b', { text: seconds(tick) }), ` tick ${Math.round(tick) + data.first}`);
    this.draw();
  }

  showApart() {
    for (const { slot, machine, apart } of this.rows) {
      const [host, client] = [0, chosen.machine].map((machine) => this.place(machine, slot, moment.tick));
      const own = machine === chosen.machine ? ' own' : '';
      const text = host && client ? `${Math.hypot(host.x - client.x, host.y - client.y, host.z - client.z).toFixed(3)} wu${own}` : host ? 'at the host only' : client ? 'at the client only' : 'not there';
      if (apart.textContent !== text) apart.textContent = text;
      apart.className = host && client ? '' : 'away';
    }
  }
}
