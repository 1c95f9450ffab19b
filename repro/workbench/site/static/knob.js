// The slider of a lesson's knob: moves the picture, which has the states one below the other.
// An animation has a play button.
addEventListener("DOMContentLoaded", () => {
  for (const knob of document.querySelectorAll(".knob")) {
    const [input, output, picture] = ["input", "output", "div"].map((n) => knob.querySelector(n));
    const [names, play] = [JSON.parse(knob.dataset.names), knob.querySelector("button")];
    let timer = 0;
    const show = () => {
      output.textContent = names[input.value];
      input.setAttribute("aria-valuetext", names[input.value]);
      picture.setAttribute("aria-label", names[input.value]);
      picture.style.backgroundPositionY = `${(100 * input.value) / (names.length - 1)}%`;
    };
    const pause = () => {
      clearInterval(timer);
      timer = 0;
      if (play) play.textContent = "Play";
    };
    input.addEventListener("input", () => { pause(); show(); });
    play?.addEventListener("click", () => {
      if (timer) return pause();
      if (Number(input.value) === names.length - 1) input.value = 0;
      play.textContent = "Pause";
      timer = setInterval(() => {
        input.value = Number(input.value) + 1;
        show();
        if (Number(input.value) === names.length - 1) pause();
      }, 600);
    });
    show();
  }
});
