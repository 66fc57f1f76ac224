/** What lies over the screen and takes the keys. */
export type Overlay = Menu | Prompt | Confirm | ValueView;

/** A list to pick from; its items are made from the state when drawn. */
export interface Menu {
  readonly kind: 'menu';
  readonly id: 'help' | 'copy' | 'sort' | 'columns' | 'go' | 'what';
  readonly cursor: number;
  readonly query: string;
  readonly isFiltering: boolean;
}

export interface Prompt {
  readonly kind: 'prompt';
  readonly id: 'find' | 'inspector-find' | 'command' | 'page-size';
  readonly value: string;
  readonly problem: string | null;
}

export interface Confirm {
  readonly kind: 'confirm';
  readonly id: 'quit' | 'cancel-export' | 'overwrite';
}

/** One value in full. */
export interface ValueView {
  readonly kind: 'value';
  readonly title: string;
  readonly text: string;
  readonly top: number;
}
