export interface IdleWatch {
  /** The user is active. */
  readonly seen: () => void;
  readonly release: () => void;
}

interface IdleOptions {
  readonly idleMs: number;
  /** Comes a minute before the end, or halfway where that is later. */
  readonly onWarned: (leftMs: number) => void;
  readonly onIdle: () => void;
}

const WARNED_BEFORE_MS = 60_000;

/** Reports that no user was active for this time, with a warning before. */
export function watchIdle({ idleMs, onWarned, onIdle }: IdleOptions): IdleWatch {
  const leftMs = Math.min(WARNED_BEFORE_MS, idleMs / 2);
  let timer: NodeJS.Timeout | undefined;
  const warn = (): void => {
    timer = setTimeout(onIdle, leftMs);
    onWarned(leftMs);
  };
  const seen = (): void => {
    clearTimeout(timer);
    timer = setTimeout(warn, idleMs - leftMs);
  };
  seen();
  return { seen, release: () => clearTimeout(timer) };
}
