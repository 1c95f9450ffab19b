// The slider of a lesson's knob: move the picture, in which the states stand one below the other.
addEventListener("DOMContentLoaded", () => {
  for (const knob of document.querySelectorAll(".knob")) {
    const [input, output, picture] = ["input", "output", "div"].map((n) => knob.querySelector(n));
    const names = JSON.parse(knob.dataset.names);
    const turn = () => {
      output.textContent = names[input.value];
      picture.setAttribute("aria-label", names[input.value]);
      picture.style.backgroundPositionY = `${(100 * input.value) / (names.length - 1)}%`;
    };
    input.addEventListener("input", turn);
    turn();
  }
});
