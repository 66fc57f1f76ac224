/** An answer that is waited for. */
export interface Waited {
  readonly host: string;
  /** From 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** How long it is waited for yet before this attempt is given up. */
  readonly leftMs: number;
}

/** Null: it is not waited for any more. */
export type OnWait = (waited: Waited | null) => void;

const TELL_EVERY_MS = 1000;

/** What comes of some work. As long as it takes, it is told each second that it is waited for. */
export async function toldMeanwhile<T>(
  work: Promise<T>,
  { mostMs, ...asked }: Omit<Waited, 'leftMs'> & { readonly mostMs: number },
  tell: OnWait,
): Promise<T> {
  const beganMs = performance.now();
  let isTold = false;
  const timer = setInterval(() => {
    isTold = true;
    tell({ ...asked, leftMs: Math.max(0, mostMs - (performance.now() - beganMs)) });
  }, TELL_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (isTold) tell(null);
  }
}
