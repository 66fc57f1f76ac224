/** A list to choose from. */
export type MenuId =
  | 'help'
  | 'copy'
  | 'sort'
  | 'columns'
  | 'go'
  | 'go-all'
  | 'count'
  | 'presets'
  | 'after-export'
  | 'answers';
