/** What lies over the screen and takes the keys. */
export type Overlay = Menu | Prompt;

/** A list to pick from; its items are made from the state when drawn. */
export interface Menu {
  readonly kind: 'menu';
  readonly id:
    | 'help'
    | 'copy'
    | 'sort'
    | 'columns'
    | 'go'
    | 'go-all'
    | 'count'
    | 'presets'
    | 'after-export'
    | 'answers'
    | `viewer-${'sort' | 'filter' | 'count' | 'chart' | 'tables'}`;
  readonly cursor: number;
  readonly query: string;
  readonly isFiltering: boolean;
}

export interface Prompt {
  readonly kind: 'prompt';
  readonly id: 'find' | 'inspector-find' | 'viewer-find' | 'party' | 'command' | 'page-size' | 'save';
  readonly value: string;
  readonly problem: string | null;
  /** What a command line may become, as far as it was typed. */
  readonly offered: readonly Candidate[];
  /** Where its text comes from, when it was not typed. */
  readonly walk: Walk | null;
}

/** A line that the one that was begun may become. */
export interface Candidate {
  readonly line: string;
  /** The part of it that is chosen. */
  readonly label: string;
}

/** Lines that keys put into a prompt, one after the other. */
export interface Walk {
  /** What it may go on with, what was entered before, or what it was opened with: the next text takes its place. */
  readonly kind: 'offered' | 'recalled' | 'proposed';
  readonly typed: string;
  readonly index: number;
}
