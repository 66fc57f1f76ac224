/** What lies over the screen and takes the keys. */
export type Overlay = Menu;

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
