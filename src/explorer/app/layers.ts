import { bytesPerSecond } from '../../export/download/progress.ts';
import { byteCount } from '../../text/byte-count.ts';
import type { EditedText } from '../../text/edit-text.ts';
import { accessProblem } from '../core/access.ts';
import type { Action } from '../core/action.ts';
import { bodyArea } from '../core/area.ts';
import type { Choice } from '../core/choice.ts';
import { type AnyEvent, type Layer, type RootEvent, shownLayers, topLayer } from '../core/layer.ts';
import type { MoveAction } from '../core/moving.ts';
import type { Effect } from '../core/runner.ts';
import type { Area, Cell, News, SavedTab, ScreenContext, ScreenKey } from '../core/screen.ts';
import {
  afterSwitch,
  areaOf,
  coverOf,
  effectsOf,
  informed,
  movedIn,
  type OpenScreen,
  returnedTo,
  type Stepped,
  settled,
  stepped,
  withOpened,
  withScreen,
} from '../core/stack.ts';
import type { SessionState } from '../core/state.ts';
import type { LeftState } from '../core/trail.ts';
import type { Openings, ScreenName } from '../openings.ts';
import { SCREENS } from '../screens/registry.ts';
import type { Job } from '../services/export-job.ts';
import type { Wait } from '../services/wait.ts';
import type { Binding } from './binding.ts';
import { keyTargetOf } from './focus.ts';

/** What the screen of a layer sees of the session. */
export const contextOf = (state: SessionState, layer: Layer): ScreenContext => new LayerContext(state, layer);

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
    this.#area ??= areaIn(this.shared, this.#layer);
    return this.#area;
  }

  get isOnTop(): boolean {
    return topLayer(this.shared)?.id === this.#layer.id;
  }

  get coveredBy(): ScreenContext['coveredBy'] {
    const cover = coverOf(SCREENS, this.shared, this.#layer);
    return cover && { name: cover.layer.screen, title: cover.screen.title };
  }

  get below(): SessionState {
    return belowLayer(this.shared, this.#layer);
  }

  readonly to: ScreenContext['to'] = event => ({ type: 'layer-event', layer: this.#layer.id, event });

  readonly live: ScreenContext['live'] = (read, otherwise) => below => {
    const own = below.layers.find(({ id }) => id === this.#layer.id);
    return own === undefined ? otherwise : read(own.state, contextOf(below, own));
  };
}

const areaIn = (state: SessionState, layer: Layer): Area =>
  areaOf(SCREENS, { ...state, body: bodyArea(state.screen) }, layer);

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

/** Whether a menu, a prompt, a question or a value lies over what is shown. */
export const isOverlaid = (state: SessionState): boolean => topLayer(state)?.isOverlay === true;

/** An open screen, and what it sees. */
export interface TopScreen extends OpenScreen {
  readonly context: ScreenContext;
}

export const topScreen = (state: SessionState): TopScreen | undefined => openOf(state, topLayer(state));

/** The screen that has the place of the tab: the one below an overlay. */
export const bodyScreen = (state: SessionState): TopScreen | undefined =>
  openOf(state, topLayer(withoutOverlays(state)));

function openOf(state: SessionState, layer: Layer | undefined): TopScreen | undefined {
  const open = layer && withScreen(SCREENS, layer);
  return open && { ...open, context: contextOf(state, open.layer) };
}

/** When the node sent what the tab shows; undefined if the tab shows no answer of a node. */
export function shownAsOfMs(state: SessionState, screens = SCREENS): number | undefined {
  const { tab } = state;
  const root = rootOf(state, layer => layer.tab === tab, screens);
  return root?.screen.asOfMs?.(root.layer.state);
}

/** The screen that is a tab as it is left for another; null: it stays as it is. */
export function leftRoot(state: SessionState, tab: string, screens = SCREENS): LeftState<unknown> {
  const root = rootOf(state, layer => layer.tab === tab, screens);
  return root?.screen.left?.(root.layer.state) ?? { state: null, rows: 0 };
}

export function withRootReturned(state: SessionState, { tab, left }: ReturnedRoot, screens = SCREENS): SessionState {
  const root = left === null ? undefined : rootOf(state, layer => layer.tab === tab, screens);
  return root === undefined ? state : { ...state, layers: returnedTo(state.layers, root, left, state) };
}

interface ReturnedRoot {
  readonly tab: string;
  readonly left: unknown;
}

/** What comes back at the next start of the screen that is a tab; undefined where nothing does. */
export function savedRoot(state: SessionState, tab: string, screens = SCREENS): SavedTab | undefined {
  const root = rootOf(state, layer => layer.tab === tab, screens);
  return root?.screen.saved?.(root.layer.state, state);
}

/** What is waited for: the node itself, else what the screens that are seen wait for, else the export that runs. */
export function waitOf(state: SessionState, top = topScreen(state)): Wait | undefined {
  const { node, job } = state;
  if (node.status === 'starting') return waitForNode(state);
  const body = bodyScreen(state);
  return (
    top?.screen.waits?.(top.layer.state, top.context) ??
    body?.screen.waits?.(body.layer.state, body.context) ??
    waitForJob(job)
  );
}

function waitForNode({ node: { requestId, label, address } }: SessionState): Wait {
  const name = label || address;
  const text = name === 'demo' ? 'starting the embedded node' : `connecting${name === '' ? '' : ` to ${name}`}`;
  return { key: `node ${requestId}`, text };
}

/** The export that runs. */
export function waitForJob(job: Job | null): Wait | undefined {
  if (job?.status !== 'running') return undefined;
  const { id, plan, progress } = job;
  const far = progress ? `${byteCount(progress.bytes)}, ${byteCount(bytesPerSecond(progress))}/s` : 'starting';
  return { key: `export ${id}`, text: `export ${plan.table.id}: ${far}`, isTimed: true };
}

/** A sign moves for as long as something is waited for. */
export const withoutOldSpin = (state: SessionState): SessionState =>
  state.spin === null || waitOf(state)?.key === state.spin.key ? state : { ...state, spin: null };

/** How long until the screen over the tab draws another thing by the clock alone. */
export function nextChangeMs(state: SessionState, body = bodyScreen(state)): number | undefined {
  return body?.screen.nextChangeMs?.(body.layer.state, body.context);
}

/** Opens a screen over what is shown. */
export function openScreen(
  state: SessionState,
  { screen: name, opening }: { readonly screen: string; readonly opening: unknown },
): SessionState {
  const id = state.lastId + 1;
  const opened = { ...state, lastId: id };
  const layers = withOpened(SCREENS, state.layers, { id, name, opening, shown: shownLayers(state) }, layer =>
    contextOf(opened, layer),
  );
  return { ...opened, layers };
}

/** Opens a screen by its name, over what is shown. */
export const openOver = <Name extends ScreenName>(
  state: SessionState,
  screen: Name,
  opening: Openings[Name],
): SessionState => openScreen(state, { screen, opening });

/** Opens a screen that needs nothing to be opened with; on top already, it is closed. */
export const toggleScreen = (state: SessionState, name: string): SessionState =>
  topLayer(state)?.screen === name ? closeTop(state) : openScreen(state, { screen: name, opening: null });

/** The screens that are tabs, which are there from the start. */
export const withRoots = (state: SessionState, roots: readonly RootOpening[]): SessionState =>
  roots.reduce((opened, { screen, opening }) => openScreen(opened, { screen, opening }), state);

type RootOpening = { readonly screen: string; readonly opening: unknown };

/** The state after the screens that are tabs heard of something that happened to the program. */
export function tellRoots(state: SessionState, newsOf: (tab: string) => News | undefined): SessionState {
  const newsFor = ({ isRoot, tab }: Layer) => (isRoot && tab !== null ? newsOf(tab) : undefined);
  return withStepped(
    state,
    informed(SCREENS, state.layers, newsFor, layer => contextOf(state, layer)),
  );
}

function withStepped(state: SessionState, { layers, messages }: Stepped): SessionState {
  if (layers === state.layers && messages.length === 0) return state;
  return { ...state, layers, outbox: [...state.outbox, ...messages] };
}

/** The items of a menu that the screen below it has. */
export function menuOfScreen(state: SessionState, id: string): readonly Choice[] {
  const body = bodyScreen(state);
  return body?.screen.menus?.[id]?.(body.layer.state, body.context) ?? [];
}

export function closeTop(state: SessionState): SessionState {
  const top = topLayer(state);
  if (top?.isRoot === true) return state;
  return { ...state, layers: state.layers.filter(layer => layer !== top) };
}

/** The state after an event to a layer. */
export const stepLayer = (
  state: SessionState,
  to: { readonly layer: number; readonly event: AnyEvent },
): SessionState =>
  withStepped(
    state,
    stepped(SCREENS, state.layers, to, layer => contextOf(state, layer)),
  );

/** The state after an event to the roots of tabs, the other tabs included that wait. */
export const stepRoots = (state: SessionState, { screen, tabs, event }: Omit<RootEvent, 'type'>): SessionState =>
  state.layers
    .filter(layer => layer.isRoot && layer.screen === screen && layer.tab !== null && tabs.includes(layer.tab))
    .reduce((stepped, { id }) => stepLayer(stepped, { layer: id, event }), state);

export function moveInLayer(state: SessionState, action: MoveAction): SessionState {
  const top = topScreen(state);
  return top === undefined ? state : { ...state, layers: movedIn(state.layers, top, action, top.context) };
}

export function layersInRange(state: SessionState): SessionState {
  const layers = settled(SCREENS, state.layers, layer => contextOf(state, layer));
  return layers === state.layers ? state : { ...state, layers };
}

export const layersAfterSwitch = (state: SessionState, isStep: boolean): readonly Layer[] =>
  afterSwitch(SCREENS, state.layers, { contextOf: layer => contextOf(state, layer), isStep });

/** A screen that is shown finds out whether the node answers. */
export const isNodeChecked = (state: SessionState): boolean =>
  shownLayers(state).some(layer => withScreen(SCREENS, layer)?.screen.checksNode === true);

export const layerEffects = (state: SessionState): readonly Effect<Action>[] =>
  state.isEnded ? [] : effectsOf(SCREENS, state.layers, state);

/** A name for what has the keys now. */
export function focusOf(state: SessionState, top = topScreen(state)): string {
  const target = keyTargetOf(state);
  return top === undefined ? target : `${target} ${top.layer.id} ${top.screen.pane?.(top.layer.state) ?? ''}`;
}

/** The keys of the top screen, and those of the program beside them; only the bindings of `key` if it is given. */
export function layerBindings(top: TopScreen, program: readonly Binding[], key?: string): readonly Binding[] {
  const { layer, screen, context } = top;
  const isMeant = ({ keys }: { readonly keys: readonly string[] }): boolean => key === undefined || keys.includes(key);
  // What a field takes as text is no key.
  const isTyped = ({ keys }: { readonly keys: readonly string[] }): boolean =>
    layer.field !== null && keys.every(key => [...key].length === 1 || key === 'space');
  const works = (own: ScreenKey<unknown, AnyEvent>): boolean =>
    !isTyped(own) && own.when?.(layer.state, context) !== false;
  const own = screen.keys.filter(row => isMeant(row) && works(row));
  const isOwn = ({ keys }: Binding): boolean =>
    keys.every(name => screen.keys.some(row => row.keys.includes(name) && works(row)));
  const inPlaceOf = ({ keys }: Binding): readonly Binding[] =>
    own
      .filter(key => key.isInProgramsPlace && key.keys.some(name => keys.includes(name)))
      .map(key => bindingOf(key, top));
  const shared = program.filter(isMeant);
  const isMove = ({ group }: Binding): boolean => group === 'Move';
  const at = (position: 'first' | 'last' | undefined): readonly Binding[] =>
    own.filter(key => key.isInProgramsPlace !== true && key.position === position).map(key => bindingOf(key, top));
  const moves = screen.move !== undefined && screen.canMove?.(layer.state) !== false;
  return [
    ...at('first'),
    ...(moves ? shared.filter(isMove) : []),
    ...at(undefined),
    ...shared.flatMap(row => (isMove(row) ? [] : isOwn(row) ? inPlaceOf(row) : [row])),
    ...at('last'),
  ];
}

function bindingOf(key: ScreenKey<unknown, AnyEvent>, { layer, screen, context }: TopScreen): Binding {
  const { keys, title, group, footer } = key;
  const action = 'program' in key ? key.program : ({ type: 'in-layer', layer: layer.id, event: key.event } as const);
  const isSave = action.type === 'open-prompt' && action.id === 'save';
  return {
    ...{ keys, title, group, action, targets: ['screen'] },
    ...(footer !== undefined && { footer }),
    footerNow: () => key.footerNow?.(layer.state, context),
    disabledReason: () =>
      accessProblem(context.shared.access, key.needs) ??
      key.disabledReason?.(layer.state, context) ??
      (isSave ? nothingToSave({ layer, screen, context }) : undefined),
  };
}

function nothingToSave({ layer, screen, context }: TopScreen): string | undefined {
  const saved = screen.saves?.(layer.state, context);
  return typeof saved === 'string' ? saved : undefined;
}

/** What comes of a key that the top screen has no binding for. */
export function otherKeyInLayer(state: SessionState, key: string): Action | undefined {
  const top = topScreen(state);
  const event = top?.screen.otherKey?.(top.layer.state, key, top.context);
  return top === undefined || event === undefined ? undefined : { type: 'in-layer', layer: top.layer.id, event };
}

/** What the top screen makes of text that is pasted. */
export function pastedInLayer(state: SessionState, text: string, top = topScreen(state)): Action | undefined {
  const event = top?.screen.pasted?.(top.layer.state, text, top.context);
  return top === undefined || event === undefined ? undefined : { type: 'in-layer', layer: top.layer.id, event };
}

/** Whether several characters that come at once are a paste in the top screen. */
export function takesUnmarkedPaste(state: SessionState, top = topScreen(state)): boolean {
  return top?.screen.takesUnmarkedPaste?.(top.layer.state) === true;
}

/** The text of the field in the top screen after it was edited, for that screen. */
export function editedInLayer(
  state: SessionState,
  value: EditedText,
): { readonly layer: number; readonly event: AnyEvent } | undefined {
  const top = topScreen(state);
  const field = top?.screen.field?.(top.layer.state);
  return top === undefined || field === undefined ? undefined : { layer: top.layer.id, event: field.edited(value) };
}

export interface PointedInLayer {
  readonly isSelected: boolean;
  readonly action: Action;
}

/** What the top screen has in a cell of the body. */
export function pointedInLayer(state: SessionState, cell: Cell): PointedInLayer | undefined {
  const top = topScreen(state);
  const pointed = top?.screen.pointed?.(top.layer.state, cell, top.context);
  if (top === undefined || pointed === undefined) return undefined;
  const { isSelected } = pointed;
  if ('line' in pointed) return { isSelected, action: { type: 'move-to', line: pointed.line } };
  return { isSelected, action: { type: 'in-layer', layer: top.layer.id, event: pointed.select } };
}

/** Whether a click on a tab may close what lies over the screen. */
export function isLeftByTab(state: SessionState): boolean {
  const top = keyTargetOf(state) === 'overlay' ? topScreen(state) : undefined;
  return top !== undefined && top.screen.isModal !== true;
}

/** The root of a tab that is meant, as it is. */
export function rootOf(
  state: SessionState,
  isMeant: (layer: Layer) => boolean,
  screens = SCREENS,
): TopScreen | undefined {
  const layer = state.layers.find(candidate => candidate.isRoot && isMeant(candidate));
  const open = layer && withScreen(screens, layer);
  return open && { ...open, context: contextOf(state, open.layer) };
}

/** The keys that each screen has for itself, for the page that lists all keys. */
export const SCREEN_KEYS: readonly Pick<Binding, 'keys' | 'title' | 'group'>[] = Object.values(SCREENS).flatMap(
  ({ keys }) => keys,
);
