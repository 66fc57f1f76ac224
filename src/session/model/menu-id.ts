/** A list to choose from that the program opens. */
export type MenuId = 'help' | 'copy' | 'presets' | 'after-export' | 'answers';
