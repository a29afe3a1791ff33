/**
 * A picture of the desk to keep: its dials, its faders, and the share of right answers.
 */

/** Download the picture. @param {HTMLElement} host @param {string} words the result */
export async function save(host, words) {
  const style = getComputedStyle(host);
  const channels = [...host.querySelectorAll(".rt-channel")].map((channel, pair) => {
    const face = new XMLSerializer().serializeToString(/** @type {Element} */ (channel.querySelector("svg")));
    const down = 340 + 8 * (15 - Number(/** @type {HTMLInputElement} */ (channel.querySelector("input")).value));
    return `<g transform="translate(${50 + 69 * pair})"><svg y="250" width="62" height="62">${face}</svg><path d="M31 340v140" stroke="currentColor"/><path d="M15 ${down}h32v16h-32z"/></g>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="sans-serif" fill="${style.color}" color="${style.color}"><path fill="var(--md-default-bg-color)" d="M0 0h1200v630H0z"/>
<g font-weight="bold"><text x="50" y="90" font-size="44">Retune the clocks</text><text x="50" y="180" font-size="58">${words}</text></g>${channels.join("")}
<text x="50" y="560" font-size="26">A model that was trained on 32 letters. Red: angles that it had never met.</text></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim()))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  Object.assign(document.createElement("a"), { href: canvas.toDataURL(), download: "retune-the-clocks.png" }).click();
}
