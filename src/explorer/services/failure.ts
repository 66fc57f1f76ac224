import {
  CANNOT_REACH,
  faultLines,
  MissingListError,
  NodeError,
  NotInSnapshotError,
  RateLimitedError,
  RefusedError,
} from '../../chain/api/errors.ts';

/** An error as the screen shows it. */
export interface ScreenFailure {
  readonly title: string;
  /** The node's own code, message and details, or the known cause. */
  readonly lines: readonly string[];
  readonly hint: string;
  readonly url: string;
  readonly kind: string;
  /** When asking again is allowed; 0: at once. */
  readonly retryAtMs: number;
}

export function toScreenFailure(error: unknown): ScreenFailure {
  if (error instanceof RefusedError) {
    if (error instanceof NotInSnapshotError) {
      const { message, hint, url } = error;
      return { title: sentence(message), lines: [], hint, url, kind: 'missing', retryAtMs: 0 };
    }
    const isMissing = error instanceof MissingListError;
    return {
      title: isMissing ? sentence(error.message) : `The node answered HTTP ${error.status}`,
      lines: faultLines(error.fault),
      hint: error.hint,
      url: error.url,
      kind: isMissing ? 'missing' : error.kind,
      retryAtMs: 0,
    };
  }
  if (error instanceof RateLimitedError) {
    const { message, hint, url, kind, retryAtMs } = error;
    return { title: 'Too many requests', lines: [message], hint, url, kind, retryAtMs };
  }
  if (error instanceof NodeError) {
    const title = TITLES[error.kind] ?? 'Request failed';
    return {
      title,
      // The title already has the beginning of this message.
      lines: [error.kind === 'network' ? error.message.replace(`${CANNOT_REACH}: `, '') : error.message],
      hint: error.hint,
      url: error.url,
      kind: error.kind,
      retryAtMs: 0,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  const missing = snapshotHint(error);
  if (missing !== undefined)
    return {
      title: 'The snapshot cannot be shown',
      lines: [message],
      hint: missing,
      url: '',
      kind: 'missing',
      retryAtMs: 0,
    };
  return {
    title: 'Something went wrong',
    lines: [message],
    hint: 'try again; if it stays, report it',
    url: '',
    kind: 'fault',
    retryAtMs: 0,
  };
}

/** What to do where a snapshot cannot be had. The errors are known by their names: their classes are loaded with it. */
function snapshotHint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'MomentError') return 'choose another with :at, or show the node with :at now';
  return error.name === 'SnapshotError' && 'hint' in error ? String(error.hint) : undefined;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const TITLES: { readonly [kind: string]: string } = {
  network: 'The node cannot be reached',
  timeout: 'The node did not answer in time',
  undecodable: 'The answer cannot be used',
};

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
