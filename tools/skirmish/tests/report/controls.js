/* Works the report's page as its reader would, and writes what came of it into the page. */
(async () => {
  const failed = [];
  const check = (holds, what) => holds || failed.push(what);
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (holds) => {
    for (let left = 120; left > 0 && !holds(); left -= 1) await frame();
    return holds();
  };
  const at = (id) => document.getElementById(id);
  const tick = () => Number(/tick (\d+)$/.exec(at('time').textContent)[1]);
  const picture = () => at('map').toDataURL();
  const press = (key, more = {}) => at('replay').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  const scrub = (value) => {
    at('scrub').value = value;
    at('scrub').dispatchEvent(new Event('input', { bubbles: true }));
  };
  const choose = (id, value) => {
    at(id).value = value;
    at(id).dispatchEvent(new Event('change', { bubbles: true }));
  };
  const plays = () => at('play').getAttribute('aria-pressed') === 'true';

  try {
    await until(() => at('map').width > 300 && document.querySelectorAll('figure svg path').length > 5);
    const figures = [...document.querySelectorAll('figure')];
    check(figures.length === 6, `${figures.length} plots`);
    check(figures.every((figure) => figure.querySelector('figcaption b').textContent && figure.querySelector('[role="img"]').getAttribute('aria-label')), 'a plot without a name');
    check(document.querySelectorAll('#clients tbody tr').length === 2, 'clients in the table');
    check(/agree/.test(at('verdict').textContent), 'no verdict');

    const first = data.first;
    const last = Number(at('scrub').max);
    scrub(0);
    check(tick() === first, 'scrubbed to the start');
    const start = picture();
    scrub(last);
    check(tick() === first + last, 'scrubbed to the end');
    check(picture() !== start, 'the picture is the same at the end');

    scrub(30);
    at('play').click();
    check(plays() && /Pause/.test(at('play').textContent), 'play');
    check(await until(() => tick() > first + 33), 'nothing moves while it plays');
    at('play').click();
    const paused = tick();
    for (let left = 10; left > 0; left -= 1) await frame();
    check(!plays() && tick() === paused, 'it moves while it pauses');

    press(' ');
    check(plays(), 'space plays');
    press(' ');
    check(!plays(), 'space pauses');
    scrub(40);
    press('ArrowRight');
    check(tick() === first + 41, 'right steps');
    press('ArrowLeft');
    press('ArrowLeft', { shiftKey: true });
    check(tick() === first + 10, 'left steps, with shift by a second');
    press('End');
    check(tick() === first + last, 'end');
    press(' ');
    check(plays() && tick() === first, 'played again from the start');
    press(' ');

    choose('speed', '4');
    scrub(10);
    at('play').click();
    check(await until(() => !plays()) || tick() > first + 30, 'it plays faster, to the end');
    if (plays()) at('play').click();

    /* Over several ticks, for at one of them a player may stand just where the other machine has it. */
    const shows = () => [50, 60, 70, 80, 90].map((tick) => {
      scrub(tick);
      return picture() + at('players').textContent;
    }).join();
    const works = [
      ['trails', () => at('trails').click()],
      ['magnify', () => choose('magnify', '100')],
      ['client', () => choose('client', at('client').lastElementChild.value)],
      ['follow', () => choose('follow', '0')],
    ];
    for (const [name, work] of works) {
      const before = shows();
      work();
      check(shows() !== before, `${name} changes nothing`);
    }
    check(/ wu/.test(at('players').textContent), 'no distance is told');

    const plot = figures[2].querySelector('[role="img"]');
    const box = plot.getBoundingClientRect();
    const point = (type, share) => plot.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: box.left + 48 + share * (box.width - 58), clientY: box.top + 60 }));
    const read = () => figures[2].querySelector('.key').textContent;
    scrub(0);
    const values = read();
    point('pointermove', 0.8);
    check(plot.querySelector('.at') && read() !== values, 'a plot tells nothing where it is pointed at');
    point('pointerdown', 0.5);
    check(Math.abs(tick() - first - last / 2) < 3, 'a plot pressed takes the replay there');
    point('pointerleave', 0.5);
    check(!plot.querySelector('.at'), 'the pointer has left');
    const down = read();
    figures[2].querySelectorAll('.toggle button')[1].click();
    check(read() !== down && /inputs/.test(read()), 'the other way is not shown');

    /* No name covers another: of six players at one place as many are named as there is room for. */
    const middle = [replay.width / 2, replay.height / 2];
    replay.drawNames([0, 1, 2, 3, 4, 5].map((slot) => ({ slot, name: `P${slot}`, spot: { at: middle, radius: 5, shade: 'black' } })));
    const apart = (a, b) => a.left > b.right || a.right < b.left || a.top > b.bottom || a.bottom < b.top;
    check(replay.named.length === 4, `${replay.named.length} names at one place`);
    check(replay.named.every((name, index) => replay.named.slice(index + 1).every((other) => apart(name, other))), 'names overlap');
    check([...document.querySelectorAll('#clients tbody th')].every((name) => /^P\d+machine \d+$/.test(name.textContent)), 'clients without their players’ names');
    const wide = at('clients').parentElement;
    const isWider = wide.scrollWidth > wide.clientWidth;
    check(at('sideways').hidden !== isWider && wide.classList.contains('more') === isWider, 'a wide table does not say so');
    check(isWider === (innerWidth < 900), `the table is ${wide.scrollWidth} wide in ${wide.clientWidth}`);
    wide.scrollLeft = wide.scrollWidth;
    wide.dispatchEvent(new Event('scroll'));
    check(!wide.classList.contains('more'), 'the end of a wide table has more');

    check(document.documentElement.scrollWidth <= innerWidth, `the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`);
    check(performance.getEntriesByType('resource').length === 0, 'something was fetched');
  } catch (error) {
    failed.push(String(error.stack));
  }
  failed.push(...faults);
  const result = document.createElement('pre');
  result.id = 'result';
  result.textContent = JSON.stringify({ failed });
  document.body.append(result);
})();
