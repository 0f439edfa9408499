/* Shows it all. */

showVerdict();
showSetting();
showFigures();
showClients();
showLosses();
showPlots();
const replay = new Replay();
byId('play').querySelector('path').setAttribute('d', 'M5 2.5v15l12-7.5z');
chosen.set(byId('client').value === '' ? null : Number(byId('client').value));

/* Begins two seconds after every machine has a player, so that there is something to see. */
const begun = data.replay.machines.map(({ tracks }) => Math.min(...tracks.map(({ runs }) => runs[0].at)));
moment.set(Math.max(0, ...begun.filter(Number.isFinite)) * data.replay.every + 2 * TICKS_A_SECOND);
