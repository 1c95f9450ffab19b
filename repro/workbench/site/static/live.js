// SNE, KIE and t-ETE on one small set of points: gradient descent, drawn step by step.
const LIVE = {
  distances: (X) => X.map((x) => X.map((y) => x.reduce((sum, v, l) => sum + (v - y[l]) ** 2, 0))),

  // The gradient of a loss whose derivative by the squared distance of i and j is slope[i][j].
  gradient: (X, slope) => X.map((x, i) => x.map((v, l) =>
    X.reduce((sum, y, j) => sum + 2 * (slope[i][j] + slope[j][i]) * (v - y[l]), 0))),

  kernel: (X, h) => LIVE.distances(X).map((row) => row.map((d) => Math.exp(-d / h))),

  // Probabilities of neighbours, MRE Eq. (1); a point is no neighbour of its own.
  rows: (X, h) => LIVE.distances(X).map((row, i) => {
    const least = Math.min(...row.filter((_, j) => j !== i));
    const kernels = row.map((d, j) => (j === i ? 0 : Math.exp((least - d) / h)));
    const sum = kernels.reduce((a, b) => a + b, 0);
    return kernels.map((k) => k / sum);
  }),

  // MRE Eqs. (4) and (5) for one relation.
  sne(X, P) {
    const [n, Q] = [X.length, LIVE.rows(X, 1)];
    let loss = 0;
    P.forEach((row, i) => row.forEach((p, j) => { loss += p > 0 ? p * Math.log(p / Q[i][j]) : 0; }));
    const slope = P.map((row, i) => row.map((p, j) => (p - Q[i][j]) / n));
    return { loss: loss / n, gradient: LIVE.gradient(X, slope) };
  },

  // Minus the mutual information of Y and X with an L2 penalty, KIE Eqs. (7) and (8); K is the kernel of Y.
  kie(X, K, penalty = 0.02) {
    const [n, L] = [X.length, LIVE.kernel(X, 1)];
    const [alone, joint] = [L.map((row) => row.reduce((a, b) => a + b, 0)),
      L.map((row, i) => row.reduce((sum, k, j) => sum + k * K[i][j], 0))];
    const size = X.reduce((sum, x) => sum + x.reduce((a, v) => a + v * v, 0), 0) / n;
    const loss = alone.reduce((sum, s, i) => sum + Math.log(s) - Math.log(joint[i]), 0) / n + penalty * size;
    const slope = L.map((row, i) => row.map((k, j) => (k * (K[i][j] / joint[i] - 1 / alone[i])) / n));
    const gradient = LIVE.gradient(X, slope).map((g, i) => g.map((v, l) => v + (2 * penalty * X[i][l]) / n));
    return { loss, gradient };
  },

  // The mean of t-ETE Eq. (8) over triplets, t = 2; in each the first is nearer to the second than to the third.
  tete(X, triplets) {
    const d = LIVE.distances(X), slope = X.map(() => X.map(() => 0));
    let loss = 0;
    for (const [i, j, k] of triplets) {
      const [near, far] = [1 / (1 + d[i][j]), 1 / (1 + d[i][k])], both = near + far;
      loss += far / both / triplets.length;
      slope[i][j] += (far * near * near) / both ** 2 / triplets.length;
      slope[i][k] -= (near * far * far) / both ** 2 / triplets.length;
    }
    return { loss, gradient: LIVE.gradient(X, slope) };
  },

  // Numbers that are the same at each visit: uniform, and normal.
  random(seed) {
    let state = seed;
    const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
    return { uniform, normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()) };
  },
};

addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".live-methods");
  if (!box) return;
  const EACH = 12, COLOURS = ["#0072B2", "#D55E00", "#009E73"], MIDDLES = [[0, 0, 0], [4, 0, 1], [1, 4, -1]];
  const cloud = (k) => Math.floor(k / EACH);
  const { normal } = LIVE.random(7);
  const clean = Array.from({ length: 3 * EACH }, (_, k) => MIDDLES[cloud(k)].map((v) => v + 0.7 * normal()));
  const shifts = clean.map((y) => y.map(() => normal()));
  const begin = clean.map(() => [0.1 * normal(), 0.1 * normal()]);
  const [bandwidth, noise, wrong] = box.querySelectorAll("input");
  const [play, again] = box.querySelectorAll("button");
  let given, timer = 0;

  const prepare = () => {
    const { uniform } = LIVE.random(11);
    const Y = clean.map((y, i) => y.map((v, l) => v + Number(noise.value) * shifts[i][l]));
    const d = LIVE.distances(Y), h = Number(bandwidth.value);
    const other = (...taken) => {
      const k = Math.floor(uniform() * Y.length);
      return taken.includes(k) ? other(...taken) : k;
    };
    const triplets = Y.flatMap((_, i) => Array.from({ length: 30 }, () => {
      const j = other(i), k = other(i, j);
      return (d[i][j] < d[i][k]) === (uniform() >= wrong.value / 100) ? [i, j, k] : [i, k, j];
    }));
    given = [LIVE.rows(Y, h), LIVE.kernel(Y, h), triplets];
    for (const input of [bandwidth, noise, wrong]) {
      input.nextElementSibling.textContent = `${input.value}${input.dataset.unit ?? ""}`;
    }
  };

  const panels = [["sne", 1], ["kie", 1], ["tete", 12]].map(([name, step], m) => {
    const figure = box.querySelectorAll("figure")[m];
    const dots = clean.map((_, k) => svg("circle", { r: 0.045, fill: COLOURS[cloud(k)] }));
    figure.querySelector("svg").replaceChildren(...dots);
    return { name, step, dots, told: figure.querySelector("output"), X: begin, speed: [] };
  });
  const draw = (panel, m) => {
    const { X, dots, told, name } = panel;
    const centre = [0, 1].map((l) => X.reduce((sum, x) => sum + x[l], 0) / X.length);
    const wide = Math.max(...X.flatMap((x) => x.map((v, l) => Math.abs(v - centre[l])))) || 1;
    dots.forEach((dot, k) => ["cx", "cy"].forEach((key, l) => dot.setAttribute(key, (X[k][l] - centre[l]) / wide)));
    const alike = LIVE.distances(X).filter((row, i) => {
      const least = Math.min(...row.filter((_, j) => j !== i));
      return cloud(row.findIndex((d, j) => j !== i && d === least)) === cloud(i);
    }).length;
    const { loss } = LIVE[name](X, given[m]);
    told.textContent = `loss ${loss.toFixed(3)}; nearest neighbour from the same cloud: ${alike} of ${X.length}`;
  };
  const descend = () => panels.forEach((panel, m) => {
    const { gradient } = LIVE[panel.name](panel.X, given[m]);
    panel.speed = gradient.map((g, i) => g.map((v, l) => 0.8 * panel.speed[i][l] - panel.step * v));
    panel.X = panel.X.map((x, i) => x.map((v, l) => v + panel.speed[i][l]));
    draw(panel, m);
  });
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const restart = () => {
    stop();
    panels.forEach((panel, m) => {
      panel.X = begin;
      panel.speed = begin.map(() => [0, 0]);
      draw(panel, m);
    });
  };
  play.addEventListener("click", () => {
    if (timer) { stop(); return; }
    timer = setInterval(descend, 30);
    play.textContent = "Pause";
  });
  again.addEventListener("click", restart);
  for (const input of [bandwidth, noise, wrong]) {
    input.addEventListener("input", () => { prepare(); panels.forEach(draw); });
  }
  prepare();
  restart();
});
