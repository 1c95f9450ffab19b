// SNE in the browser, on few points: gradient descent with momentum, drawn step by step.
const SNE = {
  // Probabilities of neighbours from squared distances divided by sigma2, excluding the point itself.
  rows(Y, sigma2 = 1) {
    return Y.map((y, i) => {
      const d = Y.map((z) => y.reduce((sum, value, l) => sum + (value - z[l]) ** 2, 0) / sigma2);
      const least = Math.min(...d.filter((_, j) => j !== i));
      const kernels = d.map((value, j) => (j === i ? 0 : Math.exp(least - value)));
      const sum = kernels.reduce((a, b) => a + b, 0);
      return kernels.map((value) => value / sum);
    });
  },

  // The loss (1/n) Σ P log(P/Q), and its gradient (2/n) Σ_j (P + Pᵀ - Q - Qᵀ)_ij (x_i - x_j).
  valueAndGradient(X, P) {
    const [n, Q] = [X.length, SNE.rows(X)];
    let value = 0;
    const gradient = X.map((x, i) => {
      const step = x.map(() => 0);
      for (let j = 0; j < n; j++) {
        if (P[i][j] > 0) value += P[i][j] * Math.log(P[i][j] / Q[i][j]);
        const pull = P[i][j] + P[j][i] - Q[i][j] - Q[j][i];
        x.forEach((place, l) => { step[l] += (2 / n) * pull * (place - X[j][l]); });
      }
      return step;
    });
    return { value: value / n, gradient };
  },

  // Three clouds of points in space; the numbers are the same at each visit.
  clouds(each = 17) {
    let state = 7;
    const uniform = () => (state = (state * 16807) % 2147483647) / 2147483647;
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const middles = [[0, 0, 0], [4, 0, 1], [1, 4, -1]];
    const Y = middles.flatMap((middle) =>
      Array.from({ length: each }, () => middle.map((value) => value + 0.7 * normal())));
    return { Y, start: () => Y.map(() => [0.3 * normal(), 0.3 * normal()]) };
  },
};

addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".live-sne");
  if (!box) return;
  const EACH = 17, COLOURS = ["#0072B2", "#D55E00", "#009E73"], WIDE = 6;
  const { Y, start } = SNE.clouds(EACH);
  const P = SNE.rows(Y, 2);
  const [play, again] = box.querySelectorAll("button");
  const [picture, output] = [box.querySelector("svg"), box.querySelector("output")];
  let X, speed, running = false, held = -1;

  const dots = Y.map((_, k) => {
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    dot.setAttribute("r", 0.22);
    dot.setAttribute("fill", COLOURS[Math.floor(k / EACH)]);
    dot.setAttribute("tabindex", 0);
    dot.setAttribute("role", "button");
    dot.setAttribute("aria-label", `point ${k + 1}, cloud ${Math.floor(k / EACH) + 1}; arrow keys move it`);
    dot.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    dot.addEventListener("pointerdown", (event) => {
      held = k;
      picture.setPointerCapture(event.pointerId);
    });
    dot.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!move) return;
      event.preventDefault();
      X[k] = X[k].map((place, l) => place + 0.5 * move[l]);
      draw();
    });
    return dot;
  });
  picture.replaceChildren(...dots);

  const draw = () => {
    const { value } = SNE.valueAndGradient(X, P);
    dots.forEach((dot, k) => {
      dot.setAttribute("cx", Math.max(-WIDE, Math.min(WIDE, X[k][0])));
      dot.setAttribute("cy", Math.max(-WIDE, Math.min(WIDE, X[k][1])));
    });
    output.textContent = `loss ${value.toFixed(3)}`;
  };
  const descend = () => {
    const { gradient } = SNE.valueAndGradient(X, P);
    X = X.map((x, k) => {
      if (k === held) return x;
      speed[k] = speed[k].map((v, l) => 0.8 * v - 1.5 * gradient[k][l]);
      return x.map((place, l) => place + speed[k][l]);
    });
  };
  const frame = () => {
    if (!running) return;
    descend();
    draw();
    requestAnimationFrame(frame);
  };
  const run = (on) => {
    running = on;
    play.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(frame);
  };
  const restart = () => {
    X = start();
    speed = X.map(() => [0, 0]);
    draw();
  };

  picture.addEventListener("pointermove", (event) => {
    if (held < 0) return;
    const place = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = place.matrixTransform(picture.getScreenCTM().inverse());
    X[held] = [x, y];
    speed[held] = [0, 0];
    draw();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    picture.addEventListener(end, () => { held = -1; });
  }
  play.addEventListener("click", () => run(!running));
  again.addEventListener("click", () => { run(false); restart(); });
  restart();
});
