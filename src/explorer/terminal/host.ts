/** Why an explorer has to end: a signal, a lost terminal, or an uncaught error. */
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
   * Stops the process; resolves when it continues, with false if nothing was stopped: the terminal does not belong to the
   * process, or no one could continue it.
   */
  readonly stop: () => Promise<boolean>;
  /** Returns what ends it. */
  readonly listen: (hearer: SuspendListener) => () => void;
}

export interface SuspendListener {
  /** The process is asked to stop: the terminal has to be restored first. */
  readonly onStopAsked: () => void;
  readonly onContinued: () => void;
}

export interface HostRegistration {
  readonly stops: SuspendControl;
  /** The terminal was given back: the process no longer concerns it. */
  readonly leave: () => void;
}

/** The process, which several explorers may share: it passes its events on to them. */
export interface Host {
  readonly enter: (resident: HostedExplorer) => HostRegistration;
}
