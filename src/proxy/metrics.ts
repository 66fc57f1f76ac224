/** How a request was answered. */
export type Outcome = 'hit' | 'miss' | 'coalesced' | 'refused' | 'failed' | 'rejected' | 'export' | 'left' | 'own';

/** What is true at the moment of the question. */
export interface Gauges {
  /** Requests that wait, by client. */
  readonly queues: readonly (readonly [client: string, waiting: number])[];
  readonly cacheBytes: number;
  readonly exports: number;
  readonly connections: number;
}

const PREFIX = 'blockglass_proxy';
const BUCKETS_S: readonly number[] = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 30];
/** Clients that are named; the others are one line. */
const MOST_CLIENTS = 100;

/** Counts for Prometheus. Labels have few values, whatever is sent. */
export class Metrics {
  readonly #outcomes = new Map<string, number>();
  readonly #upstream = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #buckets = BUCKETS_S.map(() => 0);
  #count = 0;
  #sumS = 0;

  answered(outcome: Outcome, elapsedMs: number): void {
    add(this.#outcomes, labels({ outcome }));
    // The time of an export is that of its download, and of no use among the others.
    if (outcome === 'export') return;
    const elapsedS = elapsedMs / 1000;
    this.#count++;
    this.#sumS += elapsedS;
    for (const [index, bound] of BUCKETS_S.entries())
      if (elapsedS <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
  }

  /** A request went to the node. */
  sent(path: string): void {
    add(this.#upstream, labels({ path }));
  }

  /** A client was refused, by the node or by the proxy. */
  refused(by: 'node' | 'proxy', status: number): void {
    add(this.#refusals, labels({ by, status: String(status) }));
  }

  text({ queues, cacheBytes, exports, connections }: Gauges): string {
    const named = queues.slice(0, MOST_CLIENTS).map(([client, waiting]) => [labels({ client }), waiting] as const);
    const others = queues.slice(MOST_CLIENTS).reduce((sum, [, waiting]) => sum + waiting, 0);
    const shown = others === 0 ? named : [...named, [labels({ client: 'others' }), others] as const];
    const seconds: readonly Sample[] = [
      ...BUCKETS_S.map(
        (bound, index) => [`_bucket${labels({ le: String(bound) })}`, this.#buckets[index] ?? 0] as const,
      ),
      [`_bucket${labels({ le: '+Inf' })}`, this.#count],
      ['_sum', Number(this.#sumS.toFixed(6))],
      ['_count', this.#count],
    ];
    return [
      ...family('requests_total', 'counter', 'Requests answered, by outcome', [...this.#outcomes]),
      ...family('upstream_requests_total', 'counter', 'Requests sent to the node', [...this.#upstream]),
      ...family('refusals_total', 'counter', 'Refusals, by the node or by the proxy', [...this.#refusals]),
      ...family('queue_length', 'gauge', 'Requests that wait for the node, by client', shown),
      ...family('cache_bytes', 'gauge', 'Size of the cached answers', [['', cacheBytes]]),
      ...family('exports', 'gauge', 'Exports that are being passed on', [['', exports]]),
      ...family('connections', 'gauge', 'Open connections of clients', [['', connections]]),
      ...family('request_seconds', 'histogram', 'Time to answer, without exports', seconds),
      '',
    ].join('\n');
  }
}

type Sample = readonly [suffix: string, value: number];

const family = (name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] => [
  `# HELP ${PREFIX}_${name} ${help}.`,
  `# TYPE ${PREFIX}_${name} ${type}`,
  ...samples.map(([suffix, value]) => `${PREFIX}_${name}${suffix} ${value}`),
];

function labels(values: { readonly [name: string]: string }): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '_')}"`);
  return `{${pairs.join(',')}}`;
}

const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
