// The sliders of Settings: each moves the number it stands beside, and follows it.
(() => {
  "use strict";

  const follow = (slider) => {
    const number = document.getElementById(slider.dataset.mirror);
    if (number && document.activeElement !== slider) slider.value = number.value;
  };
  const followAll = () => document.querySelectorAll("[data-mirror]").forEach(follow);

  document.addEventListener("input", (event) => {
    const slider = event.target.closest?.("[data-mirror]");
    if (slider) document.getElementById(slider.dataset.mirror).value = slider.value;
    else followAll();
  });
  document.addEventListener("htmx:oobAfterSwap", followAll);
  document.addEventListener("DOMContentLoaded", followAll);
  followAll();
})();
