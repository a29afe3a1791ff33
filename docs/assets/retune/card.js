/**
 * A picture of the desk to keep: its dials, its faders, and the share of right answers.
 */

/** The dials and faders as SVG in the colours of the page. @param {HTMLElement} host @param {string} words */
function drawing(host, words) {
  const style = getComputedStyle(host);
  const channels = [...host.querySelectorAll(".rt-channel")].map((channel, pair) => {
    const face = new XMLSerializer().serializeToString(/** @type {Element} */ (channel.querySelector("svg")));
    const down = 8 * (15 - Number(/** @type {HTMLInputElement} */ (channel.querySelector("input")).value));
    const x = 50 + 69 * pair;
    return `<svg x="${x}" y="250" width="62" height="62">${face}</svg><path d="M${x + 31} 340v140" stroke="currentColor" stroke-opacity=".4" stroke-width="3"/>
<rect x="${x + 15}" y="${340 + down}" width="32" height="16" rx="4" fill="currentColor"/>`;
  });
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="sans-serif" fill="${style.color}" color="${style.color}"><rect width="1200" height="630" fill="var(--md-default-bg-color)"/>
<text x="50" y="90" font-size="44" font-weight="bold">Retune the clocks</text><text x="50" y="180" font-size="58" font-weight="bold">${words}</text>${channels.join("")}
<text x="50" y="560" font-size="26">A model that was trained on 32 letters. Red: angles that it had never met.</text></svg>`;
  return text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
}

/** Download the picture. @param {HTMLElement} host @param {string} words the result */
export async function save(host, words) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing(host, words))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  Object.assign(document.createElement("a"), { href: canvas.toDataURL(), download: "retune-the-clocks.png" }).click();
}
