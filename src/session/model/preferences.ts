/** What a person prefers: by flag, else by the environment, else by the settings file. What is not said is left out. */
export interface Preferences {
  /** 1-5000; each resource has its own default. */
  readonly pageSize?: number;
  /** Columns turned on or off, by resource. */
  readonly columns?: { readonly [resource: string]: { readonly [column: string]: boolean } };
  /** Their own words for ids and addresses. */
  readonly aliases?: { readonly [id: string]: string };
  readonly theme?: 'auto' | 'dark' | 'light' | 'contrast' | 'mono';
  readonly charset?: 'auto' | 'utf-8' | 'ascii';
  readonly times?: 'ages' | 'clock';
  readonly selection?: 'edges' | 'line';
  readonly mouse?: 'off' | 'on';
  /** Whether the lists come back as they were left. */
  readonly restore?: 'on' | 'off';
  /** Age of the newest block from which a node is behind; 60. */
  readonly maxLagSeconds?: number;
}
