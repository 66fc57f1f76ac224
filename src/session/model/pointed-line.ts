/** A line that can be selected, by its place in its list. */
export interface PointedLine {
  readonly pane: 'table' | 'inspector' | 'viewer' | 'viewer-counts';
  readonly index: number;
  readonly isSelected: boolean;
}
