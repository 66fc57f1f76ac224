/** As many as fit on the first screen, and a note about the others. */
export const fewOf = <Item extends object>(items: readonly Item[], word: string): readonly (Item | string)[] =>
  items.length <= MOST ? items : [...items.slice(0, MOST - 1), `and ${items.length - MOST + 1} more ${word}, below`];

const MOST = 4;
