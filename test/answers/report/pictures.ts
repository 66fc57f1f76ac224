import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import * as v from 'valibot';
import { startNode } from '../../../src/node/index.ts';
import { Browser, chromium } from './browser.ts';

// Shows the report of the demo in a real Chromium and checks it: npm run report-pictures -- [--out FOLDER] [--party ID] [--readme].
// The pictures are for people to look at: light, dark, 360 px wide, and A4 as PDF. --readme also renews the picture in README.md.

/** A liquidity provider of the demo, with an AMM. */
const PARTY = 'c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c';
const TABLES = ['ledger', 'balances', 'rewards', 'trades', 'deposits', 'withdrawals', 'blocks'];

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'reports/pictures' },
    party: { type: 'string', default: PARTY },
    readme: { type: 'boolean', default: false },
  },
});

const README_PICTURE = 'screenshots/report.png';
/** The first screen of the page, so that its text is readable in README.md. */
const README_VIEW = { name: 'light', height: 760 };

const VIEWS = [
  { name: 'light', width: 1000, scheme: 'light', isOpen: false },
  { name: 'dark', width: 1000, scheme: 'dark', isOpen: false },
  { name: '760-open', width: 760, scheme: 'light', isOpen: true },
  { name: '360', width: 360, scheme: 'light', isOpen: false },
  // With every table and statement unfolded.
  { name: '360-open', width: 360, scheme: 'dark', isOpen: true },
] as const;

const browserPath = chromium(process.env);
if (browserPath === undefined) {
  console.error('No Chromium was found. Install it, or set CHROMIUM to its path.');
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'report-pictures-'));
const problems: string[] = [];

/** The report, from one node: each start of the demo is another chain. */
async function makeReport(): Promise<string> {
  const node = await startNode({ rateLimit: { ratePerSecond: 1e6, burst: 1e6 } });
  const zips = TABLES.map(table => join(folder, `${table}.zip`));
  for (const [at, table] of TABLES.entries())
    await program(
      'export',
      '--table',
      table,
      '--from',
      '1',
      '--to',
      '23500',
      '--out',
      `${zips[at]}`,
      '--node',
      node.url,
    );
  await node.close();
  const page = join(folder, 'report.html');
  await program('report', '--party', values.party, ...zips, '--out', page);
  return page;
}

async function program(...words: readonly string[]): Promise<void> {
  const start = fileURLToPath(new URL('../../../dist/start.js', import.meta.url));
  await promisify(execFile)(process.execPath, [start, ...words]);
}

const evaluated = v.object({ result: v.looseObject({ value: v.optional(v.unknown()) }) });
const encoded = v.object({ data: v.string() });
const measured = v.object({
  scripts: v.number(),
  hidden: v.number(),
  pageWidth: v.number(),
  height: v.number(),
  wide: v.array(v.string()),
});

/** What is wider than the page although it is not in a box that scrolls, and what one has to scroll for in the widest table. */
const measureAt = (width: number): string => `({
  scripts: document.scripts.length,
  hidden: Math.max(...[...document.querySelectorAll('.scroll')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
  pageWidth: document.documentElement.scrollWidth,
  height: document.documentElement.scrollHeight,
  wide: [...document.querySelectorAll('main *')]
    .filter(each => each.closest('.scroll, pre') === null && each.getBoundingClientRect().right > ${width} + 0.5)
    .map(each => each.tagName + ' ' + each.textContent.slice(0, 40)),
})`;

async function check(page: string, browser: Browser): Promise<void> {
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await browser.call(`${domain}.enable`);
  await browser.call('Emulation.setScrollbarsHidden', { hidden: true });
  for (const { name, width, scheme, isOpen } of VIEWS) {
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await browser.call('Emulation.setEmulatedMedia', { media: 'screen', features });
    await size(browser, width, 800);
    const isLoaded = browser.next('Page.loadEventFired');
    await browser.call('Page.navigate', { url: pathToFileURL(page).href });
    await isLoaded;
    if (isOpen) await evaluate(browser, `document.querySelectorAll('details').forEach(each => { each.open = true; })`);
    const found = v.parse(measured, await evaluate(browser, measureAt(width)));
    if (found.scripts > 0) problems.push(`${name}: ${found.scripts} scripts`);
    if (found.pageWidth > width) problems.push(`${name}: the page is ${found.pageWidth} px wide and scrolls`);
    if (found.hidden > 0) problems.push(`${name}: ${found.hidden} px of a table are hidden`);
    for (const each of found.wide) problems.push(`${name}: too wide: ${each}`);
    if (values.readme && name === README_VIEW.name) {
      await size(browser, width, README_VIEW.height);
      await takePicture(README_PICTURE, browser);
    }
    // A picture of a whole page with all its SQL would be too long.
    await size(browser, width, Math.min(found.height, 6000));
    await takePicture(join(values.out, `${name}.png`), browser);
  }
  await browser.call('Emulation.clearDeviceMetricsOverride');
  await browser.call('Emulation.setEmulatedMedia', { media: '', features: [] });
  await save(
    join(values.out, 'a4.pdf'),
    await browser.call('Page.printToPDF', { preferCSSPageSize: true, printBackground: false }),
  );
  for (const { method, params } of browser.events) {
    const text = JSON.stringify(params);
    if (method === 'Network.requestWillBeSent' && !text.includes('"url":"file://')) problems.push(`request: ${text}`);
    if (method === 'Log.entryAdded' || method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown')
      problems.push(`console: ${text}`);
  }
}

const size = (browser: Browser, width: number, height: number): Promise<unknown> =>
  browser.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });

async function evaluate(browser: Browser, expression: string): Promise<unknown> {
  const { result } = v.parse(evaluated, await browser.call('Runtime.evaluate', { expression, returnByValue: true }));
  return result.value;
}

const takePicture = async (path: string, browser: Browser): Promise<void> =>
  save(path, await browser.call('Page.captureScreenshot', { format: 'png' }));

async function save(path: string, answer: unknown): Promise<void> {
  await writeFile(path, Buffer.from(v.parse(encoded, answer).data, 'base64'));
  console.log(path);
}

await mkdir(values.out, { recursive: true });
try {
  const page = await makeReport();
  const browser = await Browser.open(browserPath, join(folder, 'profile'));
  try {
    await check(page, browser);
  } finally {
    await browser.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'no script, no request, no console message, nothing too wide' : 'look above');
process.exitCode = problems.length === 0 ? 0 : 1;
