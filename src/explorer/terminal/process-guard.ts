import type { Ending, Host, HostedExplorer, HostRegistration, SuspendListener } from './host.ts';

/** What the guard needs of a process. */
type GuardedProcess = Pick<NodeJS.EventEmitter, 'on' | 'off'> &
  Pick<NodeJS.Process, 'kill'> & { readonly stdin: unknown };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

const OWN_GROUP = 0;

/** A program that was stopped does not notice this time. */
const NOT_STOPPED_MS = 100;

/**
 * Handles signals and faults of the process for all explorers in it. It lives as long as the process, so that a second
 * signal is handled while the last explorer closes.
 */
export class ProcessGuard implements Host {
  readonly #process: GuardedProcess;
  readonly #mayStop: boolean;
  readonly #residents = new Map<HostedExplorer, Set<SuspendListener>>();

  /** With `mayStop` false, as for guests, nothing stops the process: behind it there may be a shell that is not theirs. */
  constructor(guarded: GuardedProcess = process, mayStop = true) {
    this.#process = guarded;
    this.#mayStop = mayStop;
    for (const signal of SIGNALS) guarded.on(signal, this.#onSignal);
    guarded.on('uncaughtException', this.#onFault);
    guarded.on('unhandledRejection', this.#onFault);
    guarded.on('exit', this.#onExit);
    guarded.on('SIGTSTP', this.#onStopAsked);
    guarded.on('SIGCONT', this.#onContinued);
  }

  enter(resident: HostedExplorer): HostRegistration {
    const hearers = new Set<SuspendListener>();
    this.#residents.set(resident, hearers);
    return {
      stops: {
        // Another terminal has no shell that waits, and stopping would stop all other explorers.
        stop: async () => this.#isAtHome(resident) && this.#stop(),
        listen: hearer => {
          hearers.add(hearer);
          return () => hearers.delete(hearer);
        },
      },
      leave: () => this.#residents.delete(resident),
    };
  }

  /** Restores the previous state of the process. */
  release(): void {
    for (const signal of SIGNALS) this.#process.off(signal, this.#onSignal);
    this.#process.off('uncaughtException', this.#onFault);
    this.#process.off('unhandledRejection', this.#onFault);
    this.#process.off('exit', this.#onExit);
    this.#process.off('SIGTSTP', this.#onStopAsked);
    this.#process.off('SIGCONT', this.#onContinued);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => this.#endAll({ kind: 'signal', signal });
  readonly #onFault = (error: unknown): void => this.#endAll({ kind: 'fault', error });

  #endAll(ending: Ending): void {
    for (const { end } of [...this.#residents.keys()]) end(ending);
  }

  readonly #onExit = (): void => {
    for (const { restore } of this.#residents.keys()) restore();
  };

  readonly #onStopAsked = (): void => {
    if (!this.#mayStop) return;
    const hearers = this.#hearersAtHome();
    // No explorer uses the terminal of the process, so it stops as it would without a handler.
    if (hearers.length === 0) void this.#stop();
    for (const hearer of hearers) hearer.onStopAsked();
  };

  // Stopped without a request (SIGSTOP), or by this program: the shell has used this terminal in the meantime, and no
  // other one.
  readonly #onContinued = (): void => {
    for (const hearer of this.#hearersAtHome()) hearer.onContinued();
  };

  #isAtHome({ stdin }: HostedExplorer): boolean {
    return stdin === this.#process.stdin;
  }

  #hearersAtHome(): readonly SuspendListener[] {
    return [...this.#residents].flatMap(([resident, hearers]) => (this.#isAtHome(resident) ? [...hearers] : []));
  }

  async #stop(): Promise<boolean> {
    if (!this.#mayStop) return false;
    this.#process.off('SIGTSTP', this.#onStopAsked);
    const hasStopped = await stopUntilContinued(this.#process);
    this.#process.on('SIGTSTP', this.#onStopAsked);
    return hasStopped;
  }
}

/**
 * Stops the process and resolves when it continues; false if it was not stopped, as nothing could continue it. All of its
 * group stops, as when a terminal itself sees Ctrl-Z: a shell waits for npm or a script as well.
 */
function stopUntilContinued(guarded: GuardedProcess): Promise<boolean> {
  return new Promise(resolve => {
    const end = (hasStopped: boolean): void => {
      clearTimeout(timer);
      guarded.off('SIGCONT', onContinued);
      resolve(hasStopped);
    };
    const onContinued = (): void => end(true);
    guarded.on('SIGCONT', onContinued);
    // SIGCONT is handled after a timer that is already due.
    const timer = setTimeout(() => setImmediate(() => end(false)), NOT_STOPPED_MS);
    guarded.kill(OWN_GROUP, 'SIGTSTP');
  });
}
