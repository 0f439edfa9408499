/* The verdict, the figures and the tables: the summary in words. */

function showVerdict() {
  const { agreement } = data.summary;
  const passed = agreement.verdict === 'pass';
  const first = agreement.first;
  document.body.classList.add(passed ? 'pass' : 'fail');
  byId('verdict').textContent = passed ? 'The machines agree' : 'The machines disagree';
  byId('mark').querySelector('path').setAttribute('d', passed ? 'M9 16.5l5 5 9.5-10.5' : 'M11 11l10 10M21 11l-10 10');
  document.title = `skirmish demo: ${agreement.verdict}`;
  if (first) {
    const who = first.player < 128 ? `, ${nameOf(first.player)}` : '';
    const button = make('button', { type: 'button', text: 'Show it' });
    button.addEventListener('click', () => {
      moment.set(first.tick - data.first);
      byId('replay').focus();
      byId('replay').scrollIntoView();
    });
    byId('finding').append(`First at tick ${first.tick}${who}: ${first.field} is ${first.host || '–'} at the host, ${first.client || '–'} at a client. `, button);
  }
}

function nameOf(slot) {
  const player = data.players.find((player) => player.slot === slot);
  return player ? player.name : `player ${slot}`;
}

/* A machine by its players: the first's name, and how many more there are. */
function machineName(machine) {
  const names = data.players.filter((player) => player.machine === machine).map(({ name }) => name);
  if (!names.length) return `machine ${machine}`;
  return names.length > 1 ? `${names[0]} + ${names.length - 1}` : names[0];
}

const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

function showSetting() {
  const { summary } = data;
  const parts = [
    summary.map, summary.variant, `1 host, ${plural(summary.clients.length, 'client', 'clients')}`,
    `${number(summary.seconds)} s`, `seed ${summary.seed}`, `network version ${summary.version}`,
    data.faults ? `network: ${data.faults}` : 'network left as it is',
  ];
  byId('setting').append(...parts.map((text) => make('span', { text: text.replaceAll(/(\d) /g, '$1\u00a0') })));
}

function figure(name, value, unit, note) {
  const shown = make('dd', { class: 'value', text: value });
  if (unit) shown.append(make('span', { class: 'unit', text: unit }));
  byId('figures').append(make('div', {}, make('dt', { text: name }), shown, make('dd', { class: 'note', text: note })));
}

function showFigures() {
  const { host, clients, kills, hits } = data.summary;
  const joined = clients.filter((client) => client.joined);
  const all = (of) => joined.map(of);
  const mean = (of) => joined.length ? all(of).reduce((a, b) => a + b, 0) / joined.length : 0;
  const most = (of) => Math.max(0, ...all(of));
  const least = (of) => joined.length ? Math.min(...all(of)) : 0;
  const total = (of) => all(of).reduce((a, b) => a + b, 0);
  const kilobytes = (bytes) => `${number(bytes * TICKS_A_SECOND / 1000, 1)} kB/s`;
  const fixed = (value) => number(value, value >= 100 ? 0 : 1);

  figure('Netcode in a tick of the host', fixed(host.tick_us.p50), 'µs', `99 of 100 below ${fixed(host.tick_us.p99)} µs, most ${fixed(host.tick_us.max)} µs`);
  figure('Processor, a client and tick', number(host.cpu_us_per_client_tick, 2), 'µs', `${number(host.cpu_us_per_client_tick * TICKS_A_SECOND / 1e4, 3)} % of a core a client`);
  figure('Allocations in a tick', number(host.allocations_per_tick), '', 'of the host, once it is warm');
  figure('Round trip', fixed(mean((client) => client.rtt_ms)), 'ms', `from ${fixed(least((client) => client.rtt_ms))} to ${fixed(most((client) => client.rtt_ms))} ms`);
  figure('Others’ players off by', number(mean((client) => client.remote_error_wu.mean), 3), 'wu', `99 of 100 below ${number(most((client) => client.remote_error_wu.p99), 3)} wu, most ${number(most((client) => client.remote_error_wu.max), 3)} wu`);
  figure('To a client', number(mean((client) => client.down.bytes_per_tick), 0), 'bytes a tick', `${kilobytes(mean((client) => client.down.bytes_per_tick))} in ${number(mean((client) => client.down.datagrams_per_tick), 2)} datagrams a tick`);
  figure('From a client', number(mean((client) => client.up.bytes_per_tick), 0), 'bytes a tick', `${kilobytes(mean((client) => client.up.bytes_per_tick))} in ${number(mean((client) => client.up.datagrams_per_tick), 2)} datagrams a tick`);
  figure('Own players corrected', number(total((client) => client.own_corrections)), 'times', 'of all clients, in the whole game');
  figure('Joining took', number(mean((client) => client.join_ms) / 1000, 2), 's', `at most ${number(most((client) => client.join_ms) / 1000, 2)} s; ${joined.length} of ${clients.length} came, ${number(total((client) => client.disconnects))} lost`);
  figure('Kills', number(kills), '', `${number(hits.reported)} hits reported, ${number(hits.dealt)} dealt, ${number(hits.rejected)} rejected; ${number(host.rss_bytes / 1e6, 0)} MB of memory`);
}

const COLUMNS = [
  ['Client', (client) => client.joined ? machineName(client.machine) : 'not in'],
  ['Joined in, ms', (client) => client.joined ? number(client.join_ms, 0) : 'not'],
  ['Ticks', (client) => number(client.ticks)],
  ['Round trip, ms', (client) => number(client.rtt_ms, 1)],
  ['Down, bytes a tick', (client) => number(client.down.bytes_per_tick, 0)],
  ['Datagrams a tick', (client) => number(client.down.datagrams_per_tick, 2)],
  ['Up, bytes a tick', (client) => number(client.up.bytes_per_tick, 0)],
  ['Datagrams a tick', (client) => number(client.up.datagrams_per_tick, 2)],
  ['Own corrected', (client) => number(client.own_corrections)],
  ['Others off, mean wu', (client) => number(client.remote_error_wu.mean, 3)],
  ['99 %, wu', (client) => number(client.remote_error_wu.p99, 3)],
  ['Most, wu', (client) => number(client.remote_error_wu.max, 3)],
  ['Drift, ticks apart', (client) => `${number(client.drift.apart)} of ${number(client.drift.ticks)}`],
  ['Lost', (client) => number(client.disconnects)],
];

function showClients() {
  const head = make('tr', {}, ...COLUMNS.map(([name], index) => make('th', { scope: 'col', class: index ? 'n' : '', text: name })));
  const rows = data.summary.clients.map((client) => make('tr', {}, ...COLUMNS.map(([, of], index) => {
    if (index) return make('td', { class: 'n', text: of(client) });
    const dot = make('span', { class: 'dot', style: `--c: ${colour(client.machine)}` });
    const beside = client.joined ? make('small', { text: `machine ${client.machine}` }) : '';
    return make('th', { scope: 'row' }, dot, of(client), beside);
  })));
  byId('clients').append(make('thead', {}, head), make('tbody', {}, ...rows));
  /* Where the table is wider than the page that is said, and its edge fades while there is more. */
  const wide = byId('clients').parentElement;
  const tell = () => {
    const over = wide.scrollWidth - wide.clientWidth;
    byId('sideways').hidden = over <= 0;
    wide.classList.toggle('more', wide.scrollLeft < over - 1);
  };
  wide.addEventListener('scroll', tell);
  onWidth(wide, tell);
}

function showLosses() {
  const { refused, dropped } = data.summary;
  const list = (of, what) => Object.entries(of).filter(([, count]) => count > 0).map(([reason, count]) => [`${what}: ${reason.replaceAll('_', ' ')}`, count]);
  const all = [...list(refused, 'refused'), ...list(dropped, 'dropped')];
  byId('losses').append(...all.map(([what, count]) => make('div', {}, make('span', { text: what }), make('b', { text: number(count) }))));
  if (!all.length) {
    byId('losses').classList.add('none');
    byId('losses').append('Nothing: every message that came was taken.');
  }
}
