/** A line that can be selected, by its place in its list. */
export interface PointedLine {
  readonly pane: 'table' | 'inspector';
  readonly index: number;
  readonly isSelected: boolean;
}
