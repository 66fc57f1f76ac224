/** Why an explorer is to end: a signal, a terminal that is gone, or a fault that nobody caught. */
export type Ending =
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'terminal-gone' }
  | { readonly kind: 'fault'; readonly error: unknown };

/** An explorer, as the process knows it that it runs in. */
export interface HostedExplorer {
  /** Tells whether its terminal is the one that the process was started in. */
  readonly stdin: NodeJS.ReadStream;
  readonly end: (ending: Ending) => void;
  /** Gives the terminal back at once: the process exits. */
  readonly restore: () => void;
}

/** Stops of the process, as a shell has them. */
export interface SuspendControl {
  /**
   * Stops the process; resolves when it goes on, with false when nothing was stopped: the terminal is not the one of the
   * process, or nobody could continue it.
   */
  readonly stop: () => Promise<boolean>;
  /** Returns what ends it. */
  readonly listen: (hearer: SuspendListener) => () => void;
}

export interface SuspendListener {
  /** Somebody wants the process to stop: the terminal is to be given back first. */
  readonly onStopAsked: () => void;
  /** The process goes on. */
  readonly onContinued: () => void;
}

export interface HostRegistration {
  readonly stops: SuspendControl;
  /** The terminal was given back: the process no longer concerns it. */
  readonly leave: () => void;
}

/** The process, which several explorers may share: what it hears it tells them. */
export interface Host {
  readonly enter: (resident: HostedExplorer) => HostRegistration;
}
