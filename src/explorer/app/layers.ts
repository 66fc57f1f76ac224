import { formatByteCount } from '../../base/text/byte-count.ts';
import type { EditedText } from '../../base/text/edit-text.ts';
import { bytesPerSecond } from '../../history/download/progress.ts';
import type { Action } from '../core/action.ts';
import type { AnyScreen, Screens } from '../core/any-screen.ts';
import { bodyArea } from '../core/area.ts';
import type { Choice } from '../core/choice.ts';
import { type AnyEvent, type Layer, type LayerEvent, type RootEvent, shownLayers, topLayer } from '../core/layer.ts';
import type { MoveAction } from '../core/movement.ts';
import type { AddressedEffect } from '../core/runner.ts';
import type { Area, Cell, SavedTab, ScreenContext, ScreenNotification, Step } from '../core/screen.ts';
import type { SessionState } from '../core/state.ts';
import type { LeftState } from '../core/trail.ts';
import type { Openings, ScreenName } from '../openings.ts';
import { SCREENS } from '../screens/registry.ts';
import { fetchWait } from '../services/chain-history/fetch-text.ts';
import type { Job } from '../services/export-job.ts';
import type { Wait } from '../services/wait.ts';
import { currentKeyTarget } from './focus.ts';

// The screens: the tabs themselves, and what lies over them, the top one last.

export type Layers = readonly Layer[];

/** The layers, and the tab that is shown. */
type Tabbed = Pick<SessionState, 'layers' | 'tab'>;

/** A layer, and the screen that it is of. */
interface OpenScreen {
  readonly layer: Layer;
  readonly screen: AnyScreen;
}

const screenNamed = (screens: Screens, name: string): AnyScreen | undefined =>
  Object.hasOwn(screens, name) ? screens[name] : undefined;

/** What the keys of movement do, where a screen may have lines. */
const moveOf = (screen: AnyScreen) => (screen.kind === 'form' ? screen.lines?.move : screen.move);

/** Whether the keys of movement have lines to move in. */
export function hasLines({ screen, layer: { state } }: OpenScreen): boolean {
  if (screen.kind === 'form') return screen.lines?.canMove(state) === true;
  return screen.kind === 'text' || screen.canMove?.(state) !== false;
}

/** The kind of download that the screen itself shows. */
export const downloadOnScreen = (open: OpenScreen | undefined): 'job' | 'fetch' | undefined =>
  open?.screen.tab?.showsDownload?.(open.layer.state);

function withScreen(layer: Layer, screens: Screens): OpenScreen | undefined {
  const screen = screenNamed(screens, layer.screen);
  return screen && { layer, screen };
}

/** What the screen of a layer sees of the session. */
export const layerContext = (state: SessionState, layer: Layer): ScreenContext => new LayerContext(state, layer);

// Contexts are made on every key and most are read in part, so each member is computed when it is read.
class LayerContext implements ScreenContext {
  readonly shared: SessionState;
  readonly #layer: Layer;
  #area: Area | undefined;

  constructor(state: SessionState, layer: Layer) {
    this.shared = state;
    this.#layer = layer;
  }

  get area(): Area {
    this.#area ??= layerArea(this.shared, this.#layer);
    return this.#area;
  }

  get isOnTop(): boolean {
    return topLayer(this.shared)?.id === this.#layer.id;
  }

  get coveredBy(): ScreenContext['coveredBy'] {
    const cover = coveringScreen(this.shared, this.#layer);
    return cover && { name: cover.layer.screen, title: cover.screen.title };
  }

  get below(): SessionState {
    return belowLayer(this.shared, this.#layer);
  }

  readonly to: ScreenContext['to'] = event => ({ type: 'layer-event', layer: this.#layer.id, event });

  readonly live: ScreenContext['live'] = (read, otherwise) => below => {
    const own = below.layers.find(({ id }) => id === this.#layer.id);
    return own === undefined ? otherwise : read(own.state, layerContext(below, own));
  };
}

/** The cells of the body that a layer has: all except those of its foot. */
export function layerArea(state: SessionState, layer: Layer, screens = SCREENS): Area {
  const body = bodyArea(state.screen);
  // One that is about to be opened has no state yet that could have a foot.
  const screen = state.layers.includes(layer) ? screenNamed(screens, layer.screen) : undefined;
  const isCovered = coveringScreen(state, layer, screens) !== undefined;
  const taken = screen?.around?.foot?.rows(layer.state, { ...body, isCovered }) ?? 0;
  return taken === 0 ? body : { columns: body.columns, rows: Math.max(1, body.rows - taken) };
}

/** The screen that has the place of a layer, now or while its tab is shown. */
export function coveringScreen({ layers, tab }: Tabbed, layer: Layer, screens = SCREENS): OpenScreen | undefined {
  const shown = shownLayers({ layers, tab: layer.tab ?? tab });
  const cover = shown.slice(layerIndex(shown, layer) + 1).findLast(({ isOverlay }) => !isOverlay);
  return cover && withScreen(cover, screens);
}

// One that is about to be opened will be on top.
function layerIndex(layers: Layers, { id }: Layer): number {
  const index = layers.findIndex(layer => layer.id === id);
  return index < 0 ? layers.length : index;
}

/** The session without a layer and those over it. */
function belowLayer(state: SessionState, layer: Layer): SessionState {
  const index = state.layers.findIndex(({ id }) => id === layer.id);
  return index < 0 ? state : { ...state, layers: state.layers.slice(0, index) };
}

/** The session without the menus, prompts and questions that lie over a screen or a tab. */
export function withoutOverlays(state: SessionState): SessionState {
  const { layers } = state;
  return layers.some(({ isOverlay }) => isOverlay)
    ? { ...state, layers: layers.filter(({ isOverlay }) => !isOverlay) }
    : state;
}

/** Whether a menu, a prompt, a question or a value lies over the screen. */
export const isOverlaid = (state: SessionState): boolean => topLayer(state)?.isOverlay === true;

export interface TopScreen extends OpenScreen {
  readonly context: ScreenContext;
}

export const topScreen = (state: SessionState): TopScreen | undefined => openScreenOf(state, topLayer(state));

/** The screen that has the place of the tab: the one below an overlay. */
export const bodyScreen = (state: SessionState): TopScreen | undefined =>
  openScreenOf(state, topLayer(withoutOverlays(state)));

/** The screens over the tab that is shown, the top one last. */
export const screensOverTab = (state: SessionState): readonly TopScreen[] =>
  shownLayers(state).flatMap(layer => (layer.isRoot ? [] : (openScreenOf(state, layer) ?? [])));

function openScreenOf(state: SessionState, layer: Layer | undefined, screens = SCREENS): TopScreen | undefined {
  const open = layer && withScreen(layer, screens);
  return open && { ...open, context: layerContext(state, open.layer) };
}

/** When the node sent what the tab shows; undefined if the tab shows no answer of a node. */
export function shownDataTimeMs(state: SessionState, screens = SCREENS): number | undefined {
  const { tab } = state;
  const root = findRoot(state, layer => layer.tab === tab, screens);
  return root?.screen.tab?.root?.asOfMs?.(root.layer.state);
}

/** The state of a tab's screen when it is left for another; null: unchanged. */
export function leaveRoot(state: SessionState, tab: string, screens = SCREENS): LeftState<unknown> {
  const root = findRoot(state, layer => layer.tab === tab, screens);
  return root?.screen.tab?.root?.wayBack?.left(root.layer.state) ?? { state: null, rows: 0 };
}

export function restoreRoot(state: SessionState, { tab, left }: ReturnedRoot, screens = SCREENS): SessionState {
  const root = left === null ? undefined : findRoot(state, layer => layer.tab === tab, screens);
  const wayBack = root?.screen.tab?.root?.wayBack;
  if (root === undefined || wayBack === undefined) return state;
  const returned = wayBack.returned(root.layer.state, left, state);
  return withLayers(state, withState(state.layers, root, returned));
}

interface ReturnedRoot {
  readonly tab: string;
  readonly left: unknown;
}

/** The state of a tab's screen to restore at the next start; undefined if nothing is restored. */
export function savedTabState(state: SessionState, tab: string, screens = SCREENS): SavedTab | undefined {
  const root = findRoot(state, layer => layer.tab === tab, screens);
  return root?.screen.tab?.root?.saved?.(root.layer.state, state);
}

/** What is waited for: the node itself, else what the screens that are seen wait for, else the export or the fetch that runs. */
export function currentWait(state: SessionState, top = topScreen(state)): Wait | undefined {
  const { node, job, chainHistory } = state;
  if (node.status === 'starting') return nodeWait(state);
  const body = bodyScreen(state);
  return (
    top?.screen.waits?.(top.layer.state, top.context) ??
    body?.screen.waits?.(body.layer.state, body.context) ??
    jobWait(job) ??
    fetchWait(chainHistory.fetch)
  );
}

function nodeWait({ node: { requestId, label, address } }: SessionState): Wait {
  const name = label || address;
  const text = name === 'demo' ? 'starting the embedded node' : `connecting${name === '' ? '' : ` to ${name}`}`;
  return { key: `node ${requestId}`, text };
}

/** The export that runs. */
export function jobWait(job: Job | null): Wait | undefined {
  if (job?.status !== 'running') return undefined;
  const { id, plan, progress } = job;
  const far = progress
    ? `${formatByteCount(progress.bytes)}, ${formatByteCount(bytesPerSecond(progress))}/s`
    : 'starting';
  return { key: `export ${id}`, text: `export ${plan.table.id}: ${far}`, isTimed: true };
}

/** A sign moves for as long as something is waited for. */
export const withoutStaleSpinner = (state: SessionState): SessionState =>
  state.spin === null || currentWait(state)?.key === state.spin.key ? state : { ...state, spin: null };

/** The time until the screen over the tab changes only by the clock. */
export function nextChangeMs(state: SessionState, body = bodyScreen(state)): number | undefined {
  return body?.screen.tab?.root?.nextChangeMs?.(body.layer.state, body.context);
}

/** Opens a screen over the current one. It replaces an overlay, and a screen of its own kind. */
export function openScreen(
  state: SessionState,
  { screen: name, opening }: { readonly screen: string; readonly opening: unknown },
  screens = SCREENS,
): SessionState {
  const id = state.lastId + 1;
  const opened = { ...state, lastId: id };
  const screen = screenNamed(screens, name);
  if (screen === undefined) return opened;
  const isOverlay = screen.overlay !== undefined;
  const isRoot = screen.tab?.root !== undefined;
  const tab = (typeof screen.tab?.id === 'function' ? screen.tab.id(opening) : screen.tab?.id) ?? null;
  const layer: Layer = { id, screen: name, state: null, tab, isRoot, isOverlay, field: null };
  const top = topLayer(state);
  // Several tabs may have a root of one kind.
  const isReplaced = top !== undefined && !top.isRoot && (top.isOverlay || top.screen === name);
  const below = isReplaced ? state.layers.filter(candidate => candidate !== top) : state.layers;
  const withLayer = layerWith(screen, layer, screen.open(opening, layerContext(opened, layer)));
  return { ...opened, layers: [...below, withLayer] };
}

/** Opens a screen by its name, over the current one. */
export const openOver = <Name extends ScreenName>(
  state: SessionState,
  screen: Name,
  opening: Openings[Name],
): SessionState => openScreen(state, { screen, opening });

/** Opens a screen that needs nothing to be opened with; on top already, it is closed. */
export const toggleScreen = (state: SessionState, name: string): SessionState =>
  topLayer(state)?.screen === name ? closeTop(state) : openScreen(state, { screen: name, opening: null });

/** The screens that are tabs, which exist from the start. */
export const withRoots = (state: SessionState, roots: readonly RootOpening[]): SessionState =>
  roots.reduce((opened, { screen, opening }) => openScreen(opened, { screen, opening }), state);

type RootOpening = { readonly screen: string; readonly opening: unknown };

/** The state after the screens that are tabs heard of something that happened to the program. */
export const notifyRoots = (
  state: SessionState,
  newsOf: (tab: string) => ScreenNotification | undefined,
  screens = SCREENS,
): SessionState =>
  state.layers.reduce((told, layer) => {
    const open = openScreenOf(state, layer, screens);
    const news = layer.isRoot && layer.tab !== null ? newsOf(layer.tab) : undefined;
    const root = open?.screen.tab?.root;
    if (news === undefined || open === undefined || root === undefined) return told;
    return applyStep(told, open, root.news(layer.state, news, open.context));
  }, state);

/** The state after a step of one screen, with all that follows from it there, and with its messages to be delivered. */
function applyStep(state: SessionState, open: TopScreen, made: Step<unknown>): SessionState {
  const { layer, screen, context } = open;
  const followed = made.state === null ? undefined : screen.follows?.(layer.state, made.state, context);
  const layers = withState(state.layers, open, (followed ?? made).state);
  const messages = [...(made.messages ?? []), ...(followed?.messages ?? [])];
  return messages.length === 0
    ? withLayers(state, layers)
    : { ...state, layers, outbox: [...state.outbox, ...messages] };
}

const withLayers = (state: SessionState, layers: Layers): SessionState =>
  layers === state.layers ? state : { ...state, layers };

// Null: it is closed. Where nothing has changed the layers stay the same object.
function withState(layers: Layers, { layer, screen }: OpenScreen, state: unknown): Layers {
  if (state === layer.state) return layers;
  const index = layers.indexOf(layer);
  return state === null ? layers.toSpliced(index, 1) : layers.with(index, layerWith(screen, layer, state));
}

function layerWith(screen: AnyScreen, layer: Layer, state: unknown): Layer {
  const field = screen.input?.field?.(state);
  if (field === undefined) return { ...layer, state, field: null };
  const { value, label, isProposed = false, isStep = false } = field;
  return { ...layer, state, field: { ...value, label, isProposed, isStep } };
}

/** The items of a menu that the screen below it has. */
export function screenMenuItems(state: SessionState, id: string): readonly Choice[] {
  const body = bodyScreen(state);
  const menus = body?.screen.kind === 'form' ? body.screen.menus : undefined;
  return (body && menus?.[id]?.(body.layer.state, body.context)) ?? [];
}

export function closeTop(state: SessionState): SessionState {
  const top = topLayer(state);
  if (top?.isRoot === true) return state;
  return { ...state, layers: state.layers.filter(layer => layer !== top) };
}

/** Hands an event to the handler of the layer it is for; one that is closed changes nothing. */
export function sendToLayer(
  state: SessionState,
  { layer: id, event }: Omit<LayerEvent, 'type'>,
  screens = SCREENS,
): SessionState {
  const layer = state.layers.find(candidate => candidate.id === id);
  const open = openScreenOf(state, layer, screens);
  const handler = open?.screen.handlers[event.type];
  if (layer === undefined || open === undefined || handler === undefined) return state;
  return applyStep(state, open, handler(layer.state, event, open.context));
}

/** Hands an event to the roots of tabs, the other tabs included that wait. */
export const sendToRoots = (state: SessionState, { screen, tabs, event }: Omit<RootEvent, 'type'>): SessionState =>
  state.layers
    .filter(layer => layer.isRoot && layer.screen === screen && layer.tab !== null && tabs.includes(layer.tab))
    .reduce((told, { id }) => sendToLayer(told, { layer: id, event }), state);

/** The state after a key of movement in the top screen. */
export function moveInLayer(state: SessionState, action: MoveAction): SessionState {
  const top = topScreen(state);
  const move = top && moveOf(top.screen);
  if (top === undefined || move === undefined) return state;
  return applyStep(state, top, { state: move(top.layer.state, action, top.context) });
}

/** Every layer with its cursors on existing lines. */
export const settleLayers = (state: SessionState, screens = SCREENS): SessionState =>
  withLayers(
    state,
    state.layers.reduce((all, layer) => {
      const open = openScreenOf(state, layer, screens);
      if (open?.screen.settle === undefined) return all;
      return withState(all, open, open.screen.settle(layer.state, open.context));
    }, state.layers),
  );

/** The layers that remain after switching to another node. */
export const layersAfterSwitch = (state: SessionState, isStep: boolean, screens = SCREENS): Layers =>
  state.layers.reduce((all, layer) => {
    const open = openScreenOf(state, layer, screens);
    if (open === undefined) return all;
    return withState(all, open, open.screen.tab?.afterSwitch(layer.state, open.context, isStep) ?? null);
  }, state.layers);

/** A screen that is shown finds out whether the node answers. */
export const isNodeChecked = (state: SessionState): boolean =>
  shownLayers(state).some(layer => screenNamed(SCREENS, layer.screen)?.tab?.root?.checksNode === true);

/** What the open screens ask for, with the events addressed to their layers. */
export const layerEffects = (state: SessionState): readonly AddressedEffect<Action>[] =>
  state.isEnded
    ? []
    : state.layers.flatMap(({ id: layer, screen, state: own }) => {
        const effects = screenNamed(SCREENS, screen)?.effects?.(own, state) ?? [];
        const toEvent = (event: AnyEvent): Action => ({ type: 'layer-event', layer, event });
        return effects.map(effect => ({ ...effect, key: `layer ${layer} ${effect.key}`, toEvent }));
      });

/** A name for the current target of keys. */
export function focusName(state: SessionState, top = topScreen(state)): string {
  const target = currentKeyTarget(state);
  if (top === undefined) return target;
  const pane = top.screen.kind === 'list' ? top.screen.pane?.(top.layer.state) : undefined;
  return `${target} ${top.layer.id} ${pane ?? ''}`;
}

/** The action for a key that the top screen has no binding for. */
export function unboundKeyAction(state: SessionState, key: string): Action | undefined {
  const top = topScreen(state);
  if (top?.screen.kind !== 'list') return undefined;
  const event = top.screen.otherKey?.(top.layer.state, key, top.context);
  return event === undefined ? undefined : { type: 'in-layer', layer: top.layer.id, event };
}

/** What the top screen makes of text that is pasted. */
export function pasteAction(state: SessionState, text: string, top = topScreen(state)): Action | undefined {
  const event = top?.screen.input?.pasted?.(top.layer.state, text, top.context);
  return top === undefined || event === undefined ? undefined : { type: 'in-layer', layer: top.layer.id, event };
}

/** Whether several characters that come at once are a paste in the top screen. */
export function acceptsUnbracketedPaste(state: SessionState, top = topScreen(state)): boolean {
  return top !== undefined && top.screen.input?.takesUnmarkedPaste?.(top.layer.state) === true;
}

/** The text of the field in the top screen after it was edited, for that screen. */
export function editLayerField(
  state: SessionState,
  value: EditedText,
): { readonly layer: number; readonly event: AnyEvent } | undefined {
  const top = topScreen(state);
  const field = top?.screen.input?.field?.(top.layer.state);
  return top === undefined || field === undefined ? undefined : { layer: top.layer.id, event: field.edited(value) };
}

export interface LayerPointerTarget {
  readonly isSelected: boolean;
  readonly action: Action;
}

/** What the top screen has in a cell of the body. */
export function layerPointerTarget(state: SessionState, cell: Cell): LayerPointerTarget | undefined {
  const top = topScreen(state);
  if (top?.screen.kind !== 'list') return undefined;
  const pointed = top.screen.pointed(top.layer.state, cell, top.context);
  if (pointed === undefined) return undefined;
  const { isSelected } = pointed;
  if ('line' in pointed) return { isSelected, action: { type: 'move-to', line: pointed.line } };
  return { isSelected, action: { type: 'in-layer', layer: top.layer.id, event: pointed.select } };
}

/** Whether a click on a tab may close what lies over the screen. */
export function closesOnTabClick(state: SessionState): boolean {
  const top = currentKeyTarget(state) === 'overlay' ? topScreen(state) : undefined;
  return top !== undefined && top.screen.overlay?.isModal !== true;
}

/** The matching root of a tab, unchanged. */
export function findRoot(
  state: SessionState,
  isMeant: (layer: Layer) => boolean,
  screens = SCREENS,
): TopScreen | undefined {
  const layer = state.layers.find(candidate => candidate.isRoot && isMeant(candidate));
  return openScreenOf(state, layer, screens);
}
