/**
 * The matrix and the views as files.
 */

import { positionalEncoding } from "../maths/encoding.js";

/** @import { State } from "./state.js" */

/** The matrix in NumPy's format, version 1.0. @param {State} state */
function npy({ length, d_model: width, base }) {
  const start = `{'descr': '<f8', 'fortran_order': False, 'shape': (${length}, ${width}), }`;
  const header = start.padEnd(64 * Math.ceil((start.length + 11) / 64) - 11) + "\n"; // together with the 10 bytes before it, a multiple of 64
  const lead = Uint8Array.from([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, header.length & 255, header.length >> 8]);
  const values = new DataView(new ArrayBuffer(8 * length * width));
  positionalEncoding(length, width, base).forEach((value, index) => values.setFloat64(8 * index, value, true));
  return new Blob([lead, header, values], { type: "application/octet-stream" });
}

/** The matrix as CSV, one line for each position, with every digit of a float64. @param {State} state */
function csv({ length, d_model: width, base }) {
  const values = positionalEncoding(length, width, base);
  const lines = [`position,${Array.from({ length: width }, (_, j) => j).join(",")}\n`];
  for (let p = 0; p < length; p++) lines.push(`${p},${values.subarray(p * width, (p + 1) * width).join(",")}\n`);
  return new Blob(lines, { type: "text/csv" });
}

/** All views as one SVG in the colours of the page, and its size. @param {HTMLElement} host */
function drawing(host) {
  const style = getComputedStyle(host);
  const views = /** @type {HTMLElement} */ (host.querySelector(".ex-views")).getBoundingClientRect();
  const call = host.querySelector("code")?.innerHTML.split("matrix = ")[1].trim();
  const [margin, foot] = [16, 28];
  const [width, height] = [Math.ceil(views.width) + 2 * margin, Math.ceil(views.height) + 2 * margin + foot];
  /** @param {HTMLElement} element */
  const box = (element) => {
    const { left, top, width: wide, height: tall } = element.getBoundingClientRect();
    return `x="${left - views.left + margin}" y="${top - views.top + margin}" width="${wide}" height="${tall}"`;
  };
  const parts = [...host.querySelectorAll(".ex-view")].map((figure) => {
    const [caption, stage] = /** @type {HTMLCollectionOf<HTMLElement>} */ (figure.children);
    const canvas = stage.querySelector("canvas");
    const content = [...stage.querySelectorAll("svg > *")].map((part) => new XMLSerializer().serializeToString(part)).join("");
    const pixels = canvas && `<image ${box(canvas)} preserveAspectRatio="none" style="image-rendering:pixelated" href="${canvas.toDataURL()}"/>`;
    return `${pixels ?? ""}<svg ${box(stage)} font-size="11" overflow="visible"><text y="-9" font-size="14" font-weight="bold">${caption.textContent}</text>${content}</svg>`;
  });
  parts.push(`<text x="${margin}" y="${height - margin}" font-size="12" font-family="monospace">${call}</text>`);
  const family = style.fontFamily.replace(/"/g, "'");
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${family}" fill="${style.color}" color="${style.color}">`
    + `<rect width="${width}" height="${height}" fill="var(--md-default-bg-color)"/>${parts.join("")}</svg>`;
  return { width, height, svg: text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim()) };
}

/** The drawing as PNG, two pixels for each CSS pixel. @param {HTMLElement} host @returns {Promise<Blob>} */
async function png(host) {
  const { svg, width, height } = drawing(host);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))));
  });
}

/** Download a file. @param {string} kind npy, csv, png or svg @param {HTMLElement} host @param {State} state */
export async function download(kind, host, state) {
  const blob = kind === "npy" ? npy(state) : kind === "csv" ? csv(state)
    : kind === "png" ? await png(host) : new Blob([drawing(host).svg], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `encoding-${state.length}x${state.d_model}-base-${state.base}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
