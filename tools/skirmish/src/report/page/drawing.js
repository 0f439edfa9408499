/* How the replay is drawn. */

Object.assign(Replay.prototype, {
  /* Where the map stands on the canvas: the whole of it, or around the player that is followed. */
  aim() {
    const { least, most } = data.map;
    const margin = 14;
    const fit = Math.min((this.width - 2 * margin) / (most[0] - least[0]), (this.height - 2 * margin) / (most[1] - least[1]));
    const followed = byId('follow').value === '' ? null : this.place(0, Number(byId('follow').value), moment.tick) ?? this.followed;
    this.followed = followed;
    this.zoom = followed ? Math.max(fit, Math.min(this.width, this.height) / FOLLOWED_WU) : fit;
    const centre = followed ?? { x: (least[0] + most[0]) / 2, y: (least[1] + most[1]) / 2 };
    this.across = (x) => this.width / 2 + (x - centre.x) * this.zoom;
    this.down = (y) => this.height / 2 - (y - centre.y) * this.zoom;
  },

  draw() {
    if (!this.width || !data.map) return;
    this.aim();
    const { pen } = this;
    pen.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.lineJoin = pen.lineCap = 'round';
    this.drawMap();
    if (byId('trails').checked) {
      for (const { slot, machine } of data.players) this.drawTrail(slot, machine);
    }
    const shown = data.players.map((player) => ({ ...player, spot: this.drawPlayer(player) })).filter(({ spot }) => spot);
    this.drawNames(shown);
    this.showScale();
    this.showApart();
  },

  drawMap() {
    const { pen, shades } = this;
    const tallest = Math.max(0.5, ...data.map.boxes.map(({ z }) => Math.min(z[1], 4)));
    for (const { z, points } of data.map.boxes) {
      pen.beginPath();
      for (let at = 0; at < points.length; at += 2) pen.lineTo(this.across(points[at]), this.down(points[at + 1]));
      pen.closePath();
      const height = Math.min(1, Math.max(0, z[1] / tallest));
      pen.globalAlpha = 1;
      pen.fillStyle = shades.ground;
      if (height === 0) pen.fill();
      pen.fillStyle = shades.wall;
      pen.globalAlpha = 0.16 + 0.5 * height;
      if (height > 0) pen.fill();
      pen.strokeStyle = shades.edge;
      pen.lineWidth = 0.75;
      pen.globalAlpha = height > 0 ? 0.7 : 0;
      pen.stroke();
    }
    pen.globalAlpha = 1;
  },

  /* The client's place, as far from the host's as it is to be drawn. */
  clientPlace(host, slot, tick) {
    const client = this.place(chosen.machine, slot, tick);
    const times = Number(byId('magnify').value);
    if (!client || !host || times === 1) return client;
    return { ...client, x: host.x + (client.x - host.x) * times, y: host.y + (client.y - host.y) * times };
  },

  drawTrail(slot, machine) {
    const { pen } = this;
    pen.strokeStyle = this.machineShades.get(machine);
    const path = (of, width, dash, alpha) => {
      pen.beginPath();
      let last = null;
      const from = Math.max(0, moment.tick - TRAIL_TICKS);
      const steps = Math.ceil((moment.tick - from) / this.every);
      for (let step = steps; step >= 0; step -= 1) {
        const place = of(Math.max(from, moment.tick - step * this.every));
        const joins = place && last && Math.hypot(place.x - last.x, place.y - last.y) < JUMP * this.every * 4;
        if (place) pen[joins ? 'lineTo' : 'moveTo'](this.across(place.x), this.down(place.y));
        last = place;
      }
      Object.assign(pen, { lineWidth: width, globalAlpha: alpha });
      pen.setLineDash(dash);
      pen.stroke();
    };
    path((tick) => this.place(0, slot, tick), 2.5, [], 0.32);
    path((tick) => this.clientPlace(this.place(0, slot, tick), slot, tick), 1.2, [1, 4], 0.9);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  },

  drawPlayer({ slot, machine }) {
    const { pen, shades } = this;
    const host = this.place(0, slot, moment.tick);
    const client = this.clientPlace(host, slot, moment.tick);
    const shade = this.machineShades.get(machine);
    const radius = Math.max(this.width < 500 ? 4 : 5, Math.min(14, 0.2 * this.zoom));
    const at = (place) => [this.across(place.x), this.down(place.y)];
    if (host && client) {
      pen.beginPath();
      pen.moveTo(...at(host));
      pen.lineTo(...at(client));
      Object.assign(pen, { strokeStyle: shades.alert, lineWidth: 2 });
      pen.stroke();
    }
    if (host) {
      const [x, y] = at(host);
      const [ahead, aside] = [Math.cos(host.facing), -Math.sin(host.facing)];
      const turn = Math.atan2(aside, ahead);
      pen.beginPath();
      pen.arc(x, y, radius, turn + 0.9, turn - 0.9);
      pen.lineTo(x + ahead * radius * 2, y + aside * radius * 2);
      pen.closePath();
      Object.assign(pen, { strokeStyle: shades.panel, lineWidth: 3, fillStyle: shade });
      pen.stroke();
      pen.fill();
    }
    if (client) {
      const [x, y] = at(client);
      const [ahead, aside] = [Math.cos(client.facing), -Math.sin(client.facing)];
      const ring = radius + 3.5;
      pen.beginPath();
      pen.arc(x, y, ring, 0, 7);
      pen.moveTo(x + ahead * ring, y + aside * ring);
      pen.lineTo(x + ahead * (ring + 6), y + aside * (ring + 6));
      Object.assign(pen, { strokeStyle: shade, lineWidth: 1.8 });
      pen.stroke();
    }
    return host ?? client ? { at: at(host ?? client), radius, shade } : null;
  },

  /* Every player's name beside it, where it covers no other name: a name without a place is left out, and stands in
     the table. Where it stood before it stays as long as it may, so that it does not hop. */
  drawNames(players) {
    const { pen, shades } = this;
    const size = this.width < 500 ? 11 : 12.5;
    pen.font = `600 ${size}px system-ui, "DejaVu Sans", sans-serif`;
    pen.textAlign = 'center';
    this.sides ??= new Map();
    const taken = [];
    const isFree = (box) => taken.every((other) => box.left > other.right || box.right < other.left || box.top > other.bottom || box.bottom < other.top);
    for (const { slot, name, spot: { at: [x, y], radius, shade } } of players) {
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      const half = pen.measureText(name).width / 2 + 2;
      const aside = radius + 8 + half;
      const spots = [[x, y - radius - 9], [x, y + radius + 9 + size * 0.75], [x + aside, y + size * 0.35], [x - aside, y + size * 0.35]];
      const boxes = spots.map(([middle, line], side) => {
        const inside = side < 2 ? Math.min(this.width - half - 2, Math.max(half + 2, middle)) : middle;
        return { side, middle: inside, line, left: inside - half, right: inside + half, top: line - size * 0.8, bottom: line + size * 0.2 };
      });
      const fits = boxes.filter((box) => box.left >= 0 && box.right <= this.width && box.top >= 0 && box.bottom <= this.height && isFree(box));
      const box = fits.find(({ side }) => side === this.sides.get(slot)) ?? fits[0];
      this.sides.set(slot, box?.side);
      if (!box) continue;
      taken.push(box);
      Object.assign(pen, { strokeStyle: shades.panel, lineWidth: 3.5, fillStyle: shade });
      pen.strokeText(name, box.middle, box.line);
      pen.fillText(name, box.middle, box.line);
    }
    this.named = taken;
  },

  /* How long a world unit is drawn. */
  showScale() {
    const length = [0.5, 1, 2, 5, 10, 20, 50].find((length) => length * this.zoom > 44) ?? 100;
    const text = `${length} wu`;
    const width = `${Math.round(length * this.zoom)}px`;
    if (this.scaleShown === text + width) return;
    this.scaleShown = text + width;
    byId('legend').replaceChildren(make('i', { style: `width: ${width}` }), text);
  },
});
