import type { EditedText } from '../../base/text/edit-text.ts';

/** A screen that is a tab, or lies over the others. What its state is only that screen knows. */
export interface Layer {
  /** Never used again: what still arrives for a layer that was closed finds none. */
  readonly id: number;
  /** Its name in the registry of screens. */
  readonly screen: string;
  readonly state: unknown;
  /** The tab that it belongs to; null: it lies over any, and a change of tab closes it. */
  readonly tab: string | null;
  /** It is the tab itself, and always there. */
  readonly isRoot: boolean;
  /** What lies below is still seen around it. */
  readonly isOverlay: boolean;
  /** Its text field that has the focus. */
  readonly field: LayerField | null;
}

interface LayerField extends EditedText {
  /** The name of the typed text. */
  readonly label: string;
  /** The program has put the text there: typing replaces it. */
  readonly isProposed: boolean;
  /** A screen reader reads the rest of the screen with it. */
  readonly isStep: boolean;
}

interface Layered {
  readonly layers: readonly Layer[];
  readonly tab: string;
}

/** Those of the tab that is shown and over it, the top one last. */
export const shownLayers = ({ layers, tab }: Layered): readonly Layer[] =>
  layers.every(layer => layer.tab === null || layer.tab === tab)
    ? layers
    : layers.filter(layer => layer.tab === null || layer.tab === tab);

export const topLayer = (state: Layered): Layer | undefined => shownLayers(state).at(-1);

/** Whether a screen has the place of the tab. */
export const isTabCovered = (state: Layered): boolean =>
  shownLayers(state).some(({ isOverlay, isRoot }) => !isOverlay && !isRoot);

/** Those that a change of tab leaves open. */
export const layersKeptByTabs = ({ layers }: Pick<Layered, 'layers'>): readonly Layer[] =>
  layers.filter(({ tab }) => tab !== null);

/** An event of any screen; only its handler knows the remaining fields. */
export interface AnyEvent {
  readonly type: string;
}

/** For the screens with this name that are themselves these tabs. */
export interface RootEvent {
  readonly type: 'root-event';
  readonly screen: string;
  readonly tabs: readonly string[];
  readonly event: AnyEvent;
}

/** To the screen of that layer; where it is closed it changes nothing. */
export interface LayerEvent {
  readonly type: 'layer-event';
  readonly layer: number;
  readonly event: AnyEvent;
}
