// Lighthouse's mobile report of every page of site/, worst first: `make lighthouse`.
//
// The site is served as a host would: HTTP/2 with TLS, text compressed by gzip. Each page is loaded
// three times in a new browser, and the table shows medians. Other work on the machine makes pages
// look slower: run it with nothing else. With PAGES="formula wavelengths" only these are measured,
// and RUNS=1 takes one run of each.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const SITE = resolve("site");
const MODULES = resolve(process.env.LIGHTHOUSE ?? ".build/lighthouse/node_modules");
const RUNS = Number(process.env.RUNS ?? 3);
const GOALS = { performance: 99, accessibility: 100, "best-practices": 100, seo: 100 };
const MOST = { lcp: 1.8, tbt: 100, kib: 120 };
const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript",
  ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".csv": "text/csv",
  ".woff2": "font/woff2", ".txt": "text/plain", ".xml": "application/xml",
};
const PACKED = new Set([".html", ".css", ".js", ".json", ".svg", ".csv", ".txt", ".xml"]);

const library = path => import(pathToFileURL(join(MODULES, path)).href);
const { default: lighthouse } = await library("lighthouse/core/index.js");
const { launch } = await library("chrome-launcher/dist/index.js");

/** The middle one of an odd count, as Lighthouse advises for its scores. */
const median = values => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

/** Addresses of the pages below `folder`, relative to the site's root. */
function pages(folder = SITE) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return relative(SITE, path) === "embed" ? [] : pages(path);
    return entry.name === "index.html" ? [relative(SITE, folder)] : [];
  });
}

/** A self-signed certificate for localhost; the browser is told to accept it. */
function certificate() {
  const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
  const [key, cert] = ["key.pem", "cert.pem"].map(name => join(folder, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
    "-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", cert],
  { stdio: "ignore" });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return pair;
}

/** Serve SITE on a free port, each file packed once. */
function serve() {
  const packed = new Map();
  const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (request, response) => {
    const address = new URL(request.url, "https://localhost");
    let path = join(SITE, decodeURIComponent(address.pathname));
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
    if (!path.startsWith(SITE) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    const type = extname(path);
    const headers = { "content-type": TYPES[type] ?? "application/octet-stream",
      "cache-control": "max-age=600" };
    if (PACKED.has(type)) headers["content-encoding"] = "gzip";
    if (!packed.has(path)) {
      const body = readFileSync(path);
      packed.set(path, PACKED.has(type) ? gzipSync(body, { level: 9 }) : body);
    }
    response.writeHead(200, headers).end(packed.get(path));
  });
  return new Promise(done => server.listen(0, "127.0.0.1", () => done(server)));
}

/** One report: scores from 0 to 100, largest paint in s, blocking time in ms, transfer in KiB,
 * and Lighthouse's measure of the machine's speed. */
async function report(address) {
  const chrome = await launch({
    chromePath: process.env.CHROME_PATH,
    chromeFlags: ["--headless", "--no-sandbox", "--ignore-certificate-errors", "--disable-gpu"],
  });
  try {
    const { lhr } = await lighthouse(address, { port: chrome.port, logLevel: "error" });
    if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
    const value = name => lhr.audits[name].numericValue;
    const scores = Object.keys(GOALS).map(name => Math.round(100 * lhr.categories[name].score));
    const failed = Object.values(lhr.categories).slice(1).flatMap(category => category.auditRefs)
      .filter(({ id, weight }) => weight && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
      .map(({ id }) => id);
    return { scores, failed, lcp: value("largest-contentful-paint") / 1000,
      tbt: value("total-blocking-time"), kib: value("total-byte-weight") / 1024,
      version: lhr.lighthouseVersion, speed: lhr.environment.benchmarkIndex };
  } finally {
    await chrome.kill();
  }
}

const server = await serve();
const wanted = process.env.PAGES?.split(" ").map(name => (name === "home" ? "" : name)) ?? pages();
const rows = [], speeds = [];
for (const page of wanted) {
  const runs = [];
  for (let run = 0; run < RUNS; run++) {
    runs.push(await report(`https://localhost:${server.address().port}/${page && `${page}/`}`));
  }
  const row = { page: page || "home", version: runs[0].version,
    scores: runs[0].scores.map((_, at) => median(runs.map(({ scores }) => scores[at]))),
    failed: [...new Set(runs.flatMap(({ failed }) => failed))].join(" ") };
  for (const name of Object.keys(MOST)) row[name] = median(runs.map(one => one[name]));
  row.holds = row.scores.every((score, at) => score >= Object.values(GOALS)[at])
    && Object.entries(MOST).every(([name, most]) => row[name] <= most);
  rows.push(row);
  speeds.push(...runs.map(({ speed }) => speed));
  process.stderr.write(`${rows.length} of ${wanted.length}: ${row.page}\n`);
}
server.close();

rows.sort((a, b) => a.scores[0] - b.scores[0] || b.lcp - a.lcp);
console.log(`Lighthouse ${rows[0].version}, mobile, medians of ${RUNS}`);
console.log(`its index of the machine's speed: ${Math.min(...speeds)} to ${Math.max(...speeds)}`);
console.log("page                      P   A  BP SEO  LCP s  TBT ms  KiB");
for (const { page, scores, lcp, tbt, kib, holds, failed } of rows) {
  console.log(page.padEnd(23), ...scores.map(score => String(score).padStart(3)),
    lcp.toFixed(2).padStart(6), tbt.toFixed(0).padStart(7), kib.toFixed(0).padStart(4),
    holds ? "holds" : "MISSED", failed);
}
const missed = rows.filter(({ holds }) => !holds).length;
console.log(missed ? `${missed} of ${rows.length} pages missed a goal` : "every page holds");
