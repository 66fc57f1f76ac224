import type { AnyScreen, Screens } from '../core/any-screen.ts';
import { bodyArea } from '../core/area.ts';
import type { Choice } from '../core/choice.ts';
import { type Layer, shownLayers, topLayer } from '../core/layer.ts';
import type { Area, AttentionCount, SavedTab, ScreenContext } from '../core/screen.ts';
import type { SessionState } from '../core/state.ts';
import { SCREENS } from '../screens/registry.ts';

// The screens that are open, what each sees of the session, and what the one on top shows.

export type Layers = readonly Layer[];

/** The layers, and the tab that is shown. */
type Tabbed = Pick<SessionState, 'layers' | 'tab'>;

/** A layer, and the screen that it is of. */
export interface OpenScreen {
  readonly layer: Layer;
  readonly screen: AnyScreen;
}

export const screenNamed = (screens: Screens, name: string): AnyScreen | undefined =>
  Object.hasOwn(screens, name) ? screens[name] : undefined;

/** What the keys of movement do, where a screen may have lines. */
export const moveOf = (screen: AnyScreen) => (screen.kind === 'form' ? screen.lines?.move : screen.move);

/** Whether the keys of movement have lines to move in. */
export function hasLines({ screen, layer: { state } }: OpenScreen): boolean {
  if (screen.kind === 'form') return screen.lines?.canMove(state) === true;
  return screen.kind === 'text' || screen.canMove?.(state) !== false;
}

/** The screen, if it has what only a page has: lines around its body, or a tab. */
export const asPage = (screen: AnyScreen | undefined) => (screen?.isOverlay === false ? screen : undefined);

/** The kind of download that the screen itself shows. */
export const downloadOnScreen = (open: OpenScreen | undefined): 'job' | 'fetch' | undefined =>
  open && asPage(open.screen)?.tab?.showsDownload?.(open.layer.state);

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
  const taken = (screen && asPage(screen)?.around.foot?.rows(layer.state, { ...body, isCovered })) ?? 0;
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

export function openScreenOf(state: SessionState, layer: Layer | undefined, screens = SCREENS): TopScreen | undefined {
  const open = layer && withScreen(layer, screens);
  return open && { ...open, context: layerContext(state, open.layer) };
}

/** When the node sent what the tab shows; undefined if the tab shows no answer of a node. */
export function shownDataTimeMs(state: SessionState, screens = SCREENS): number | undefined {
  const { tab } = state;
  const root = findRoot(state, layer => layer.tab === tab, screens);
  return root && asPage(root.screen)?.tab?.root?.asOfMs?.(root.layer.state);
}

/** What needs attention, whichever tab is shown. */
export const knownAlarms = (state: SessionState, screens = SCREENS): readonly AttentionCount[] =>
  state.layers.flatMap(layer =>
    layer.isRoot ? (asPage(screenNamed(screens, layer.screen))?.tab?.root?.alarms?.(layer.state) ?? []) : [],
  );

/** The state of a tab's screen to restore at the next start; undefined if nothing is restored. */
export function savedTabState(state: SessionState, tab: string, screens = SCREENS): SavedTab | undefined {
  const root = findRoot(state, layer => layer.tab === tab, screens);
  return root && asPage(root.screen)?.tab?.root?.saved?.(root.layer.state, state);
}

/** The time until the screen over the tab changes only by the clock. */
export function nextChangeMs(state: SessionState, body = bodyScreen(state)): number | undefined {
  return body && asPage(body.screen)?.tab?.root?.nextChangeMs?.(body.layer.state, body.context);
}

/** The items of a menu that the screen below it has. */
export function screenMenuItems(state: SessionState, id: string): readonly Choice[] {
  const body = bodyScreen(state);
  const menus = body?.screen.kind === 'form' ? body.screen.menus : undefined;
  return (body && menus?.[id]?.(body.layer.state, body.context)) ?? [];
}

/** A screen that is shown finds out whether the node answers. */
export const isNodeChecked = (state: SessionState): boolean =>
  shownLayers(state).some(layer => asPage(screenNamed(SCREENS, layer.screen))?.tab?.root?.checksNode === true);

/** The matching root of a tab, unchanged. */
export function findRoot(
  state: SessionState,
  isMeant: (layer: Layer) => boolean,
  screens = SCREENS,
): TopScreen | undefined {
  const layer = state.layers.find(candidate => candidate.isRoot && isMeant(candidate));
  return openScreenOf(state, layer, screens);
}
