import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { contentText } from '../../../src/explorer/services/copying/content-text.ts';
import type { World } from '../../../src/explorer/services/world.ts';
import { textOf } from '../../explorer/support/fake-world.ts';
import { placeOf as focusOf, menuItems, overlayOf } from '../../explorer/support/layers.ts';
import { FakeTerminal } from '../../explorer/terminal/output/fake-terminal.ts';
import { tabKey } from '../../support/tabs.ts';
import { falseInFrame } from '../frame-rules.ts';
import type { Random } from '../random.ts';
import type { Report } from '../section.ts';
import { wizardStep } from '../state-rules.ts';
import { mutatedRecords, startMutatedNode } from './mutated-node.ts';
import { ScreenJudge } from './screen-judge.ts';

const SIZES = [
  [40, 12],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;
const RECORDS_ON_SCREEN = 3;

/** Takes the explorer to every place that shows a text of a node; tells what was done that should not have been. */
export async function tourExplorer(text: string, random: Random, report: Pick<Report, 'counts'>) {
  await using tour = await startTour(text, random);
  for (const { id } of RESOURCES) await tour.list(id, tabKey(id));
  await tour.history();
  for (const [mode, times] of tour.modes) report.counts(`screens of ${mode}`, times);
  return tour.found;
}

async function startTour(text: string, random: Random) {
  // Components are not for every loader.
  const { openScreen, worldOf } = await import('../screen.tsx');
  const node = await startMutatedNode(text);
  const folder = await mkdtemp(join(tmpdir(), 'blockglass-strings-'));
  const [columns, rows] = random.pick(SIZES);
  const terminal = new FakeTerminal(columns, rows);
  const judge = new ScreenJudge(terminal);
  const client = createClient({ base: baseAddress(node.url) });
  const world = worldOf(client, terminal.stdout);
  const { session, settle, close } = openScreen({
    world,
    tab: 'parameters',
    stdout: terminal.stdout,
    destination: folder,
  });
  await settle();
  const tour = new Tour(session, { text, random, judge, settle, world, behave: node.behave });
  return {
    found: tour.found,
    modes: tour.modes,
    list: (id: string, key: string) => tour.list(id, key),
    history: () => tour.history(),
    [Symbol.asyncDispose]: async () => {
      await close();
      await node[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Around {
  readonly text: string;
  readonly random: Random;
  readonly judge: ScreenJudge;
  readonly settle: () => Promise<void>;
  readonly world: World;
  readonly behave: Awaited<ReturnType<typeof startMutatedNode>>['behave'];
}

/** A key, or a text for a field. */
type Input = string | { readonly pasted: string };

const pasted = (text: string): Input => ({ pasted: text });

class Tour {
  readonly found: string[] = [];
  readonly modes = new Map<string, number>();
  readonly #session: Session;
  readonly #around: Around;

  constructor(session: Session, around: Around) {
    this.#session = session;
    this.#around = around;
  }

  /** Everything that a list offers. */
  async list(id: string, key: string): Promise<void> {
    const { text, random, behave } = this.#around;
    await this.#go('table', key);
    await this.#go('columns', 'l', 'l', 'G');
    await this.#records(id);
    await this.#copy(id);
    for (const open of ['s', 'c', '?', 'y']) {
      await this.#go(`menu ${open}`, open, 'G');
      this.#session.press('esc');
    }
    await this.#go('find', '/', pasted(text));
    await this.#go('command', 'esc', ':', pasted(`provisions market=${text}`), 'enter');
    await this.#go('command', 'esc', ':', pasted(text), 'enter');
    await this.#go('filters', 'esc', 'f', pasted(text), 'enter');
    await this.#go('known values', 'down', 'down', 'tab', 'down', 'up');
    await this.#go('filter by row', 'esc', 'esc', '=');
    await this.#go('next page', 'esc', 'esc', 'n');
    for (const manner of ['refuses', 'garbles'] as const) {
      behave(manner);
      await this.#go(manner, 'r');
      await this.#go(manner, random.pick(['?', 'y', 'enter']));
      behave('answers');
      await this.#go('answers again', 'esc', 'esc', 'r');
    }
  }

  /** The export from its first step to the rows that came. */
  async history(): Promise<void> {
    const { text, random } = this.#around;
    await this.#go('history', 'esc', 'esc', tabKey('history'));
    await this.#go('export', 'w', 'enter');
    await this.#go('range', 'tab', pasted(text), 'enter');
    await this.#go('range', 'ctrl-u', pasted('1000'));
    await this.#go('range', 'tab', 'ctrl-u', pasted('1'));
    await this.#go('destination', 'enter');
    await this.#go('review', 'enter');
    if (random.chance(0.3)) await this.#go('slices', 's');
    await this.#go('result', 'enter');
    await this.#go('preview', 'v', 'G');
    await this.#go('copy', 'esc', 'y');
  }

  async #records(id: string): Promise<void> {
    const { text, random } = this.#around;
    await this.#go('record', 'home', 'enter', '+');
    const count = mutatedRecords(id, text).length;
    for (let record = 0; record < count; record++) {
      this.#press(`record ${record}`, 'J', '+');
      if (!random.chance(RECORDS_ON_SCREEN / count)) continue;
      await this.#go(`record ${record}`, ...Array.from({ length: random.below(20) }, () => 'j'));
      await this.#go(`value in record ${record}`, 'enter', 'G');
      await this.#go(`raw record ${record}`, 'esc', 'R', 'G');
      await this.#go(`find in record ${record}`, 'R', '/', pasted(text));
      this.#press(`record ${record}`, 'esc');
    }
    await this.#go('closed', 'esc', 'esc');
  }

  /** What is copied is what was chosen, to the letter, and nothing else gets on the clipboard. */
  async #copy(id: string): Promise<void> {
    const { random, judge, settle, world } = this.#around;
    await this.#go('copy menu', 'home', 'y');
    const overlay = overlayOf(this.#session.state());
    if (overlay?.kind !== 'menu') return;
    const item = random.below(menuItems(this.#session.state(), overlay).length);
    for (let down = 0; down < item; down++) this.#session.press('j');
    const action = menuItems(this.#session.state(), overlay)[item]?.action;
    if (action?.type !== 'copy') return;
    const taken = {
      explain: world.node().explain,
      screen: () => '',
      signal: new AbortController().signal,
    };
    const wanted = await textOf(contentText(action.content, taken));
    await settle();
    this.#take(`copy menu of ${id}`, []);
    this.#session.press('enter');
    await settle();
    const { deeds, copied } = judge.look();
    for (const deed of deeds) this.found.push(`copied from ${id}: ${deed}`);
    const isRefused = this.#session.state().notice?.text.includes('too large') === true;
    const isSame = copied.length === 1 && copied[0] === String(Buffer.from(wanted));
    if (!isSame && !isRefused)
      this.found.push(
        `copied from ${id}: ${JSON.stringify(copied).slice(0, 200)}, not ${JSON.stringify(wanted).slice(0, 200)}`,
      );
  }

  /** Presses keys and looks at what is drawn in the end. */
  async #go(where: string, ...keys: readonly Input[]): Promise<void> {
    const { settle, judge } = this.#around;
    this.#press(where, ...keys);
    await settle();
    this.#pure(where);
    const mode = placeOf(this.#session.state());
    this.modes.set(mode, (this.modes.get(mode) ?? 0) + 1);
    const { deeds, copied } = judge.look();
    this.#take(where, [...deeds, ...copied.map(() => 'the clipboard was written')]);
  }

  /** Presses keys and looks at each frame there would be. */
  #press(where: string, ...keys: readonly Input[]): void {
    for (const key of keys) {
      if (typeof key === 'string') this.#session.press(key);
      else this.#session.paste(key.pasted);
      this.#pure(where);
    }
  }

  #pure(where: string): void {
    this.#take(where, falseInFrame(this.#session.state()));
  }

  #take(where: string, deeds: readonly string[]): void {
    for (const deed of deeds) this.found.push(`tab ${this.#session.state().tab}, ${where}: ${deed}`);
  }
}

/** The overlay on top, the step of the export, or else what has the keys. */
function placeOf(state: SessionState): string {
  const step = wizardStep(state);
  return overlayOf(state)?.kind ?? (step === undefined ? focusOf(state) : `export-${step}`);
}
