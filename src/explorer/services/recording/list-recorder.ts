import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../../api/client.ts';
import { printJson } from '../../../api/json.ts';
import type { Reply } from '../../../api/reply.ts';
import { type NodeRequest, shownAddress } from '../../../api/request.ts';
import {
  chainOfStatus,
  DOCUMENTS,
  genesisOfStatus,
  RECORDED_LISTS,
  type SeenList,
  SeenLists,
} from '../../../record/seen-lists.ts';
import { inSlices } from '../../../resources/slices.ts';
import type { NewSnapshot } from '../../../snapshots/index.ts';

/** A partial snapshot, and the chain that it is of. */
export interface PartialSnapshot {
  readonly chainId: string;
  readonly snapshot: NewSnapshot;
}

/** `busy`: another process is recording this chain. */
export type StoreResult = { readonly kind: 'stored' | 'busy' } | { readonly kind: 'failed'; readonly problem: string };

interface RecorderOptions {
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly store: (partial: PartialSnapshot) => Promise<StoreResult>;
}

interface Answered {
  readonly request: NodeRequest;
  readonly reply: Reply;
  readonly atMs: number;
}

/** After the last answer: until then a key may wait for what it asked. */
const REST_MS = 5000;
/** A list that is read again and again is stored this often. */
const AGAIN_MS = 600_000;
/** A status of this age still says which chain and epoch a list is of. */
const STATUS_MS = 120_000;
/** What nobody asked for any more is not looked through. */
const MOST_ANSWERS = 200;

/**
 * Stores the lists that were read from a node anyway. An answer is only noted; it is looked through and stored when the node
 * was asked nothing for a moment, and printed in slices, so that no key waits.
 */
export class ListRecorder {
  /** The same client, whose answers are noted. */
  readonly client: Client;
  readonly #options: RecorderOptions;
  readonly #seen = new SeenLists();
  readonly #answers: Answered[] = [];
  /** The newest of each list, until it is stored. */
  readonly #lists = new Map<string, SeenList>();
  readonly #storedMs = new Map<string, number>();
  #status: SeenList | undefined;
  /** The last reason why it could not be stored: the same one is said once. */
  #said: string | undefined;
  #heard: () => void = () => {};

  constructor(client: Client, options: RecorderOptions) {
    this.#options = options;
    this.client = {
      ...client,
      get: async (request, ...rest) => {
        try {
          const reply = await client.get(request, ...rest);
          this.#answered({ request, reply, atMs: options.nowMs() });
          return reply;
        } catch (error) {
          this.#seen.missing(request, error);
          throw error;
        }
      },
    };
  }

  /** Resolves with the reason if it cannot be stored. Rejects when the signal is aborted. */
  async run(signal: AbortSignal): Promise<string> {
    for (;;) {
      await this.#resting(signal);
      for (const { request, reply, atMs } of this.#answers.splice(0)) {
        this.#note(this.#seen.seen(request, reply, atMs));
        await nextTurn();
        signal.throwIfAborted();
      }
      const chosen = this.#due();
      if (chosen.length === 0) continue;
      const partial = await inSlices(this.#partial(chosen), { signal });
      const result = partial && (await this.#store(partial, signal));
      if (result?.kind !== 'failed' || result.problem === this.#said) continue;
      this.#said = result.problem;
      return result.problem;
    }
  }

  /** Another explorer is done in a moment. Of one that records all the time, the snapshots are enough. */
  async #store(partial: PartialSnapshot, signal: AbortSignal): Promise<StoreResult> {
    const { store, wait } = this.#options;
    const result = await store(partial);
    if (result.kind !== 'busy') return result;
    await wait(REST_MS, signal);
    return store(partial);
  }

  #answered(answer: Answered): void {
    this.#answers.push(answer);
    if (this.#answers.length > MOST_ANSWERS) this.#answers.shift();
    this.#heard();
  }

  /** Until there are answers and no more came for a moment. */
  async #resting(signal: AbortSignal): Promise<void> {
    while (this.#answers.length === 0) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal.reason);
      signal.throwIfAborted();
      signal.addEventListener('abort', abort, { once: true });
      this.#heard = resolve;
      await promise.finally(() => signal.removeEventListener('abort', abort));
    }
    for (let known = -1; known !== this.#answers.length; ) {
      known = this.#answers.length;
      await this.#options.wait(REST_MS, signal);
    }
  }

  #note(list: SeenList | undefined): void {
    if (list === undefined) return;
    if (list.list === 'status') {
      const chainId = chainOfStatus(list);
      // What was read before may be of the other chain.
      if (this.#status !== undefined && chainOfStatus(this.#status) !== chainId) {
        this.#lists.clear();
        this.#storedMs.clear();
      }
      this.#status = list;
    }
    this.#lists.set(nameOf(list), list);
  }

  /** All that are not stored yet, once one of them was not stored lately. */
  #due(): readonly SeenList[] {
    const nowMs = this.#options.nowMs();
    const lists = [...this.#lists.values()];
    const isNew = (list: SeenList): boolean => {
      const storedMs = this.#storedMs.get(nameOf(list));
      return !DOCUMENTS.has(list.list) && (storedMs === undefined || Math.abs(nowMs - storedMs) >= AGAIN_MS);
    };
    if (this.#status === undefined || chainOfStatus(this.#status) === '' || !lists.some(isNew)) return [];
    this.#lists.clear();
    for (const list of lists) this.#storedMs.set(nameOf(list), nowMs);
    const isLate = lists.includes(this.#status) || nowMs - this.#status.endedMs > STATUS_MS;
    return isLate ? lists : [this.#status, ...lists];
  }

  *#partial(lists: readonly SeenList[]): Generator<void, PartialSnapshot | undefined> {
    const status = this.#status;
    const [first] = lists
      .filter(({ list }) => !DOCUMENTS.has(list))
      .toSorted((one, other) => one.takenMs - other.takenMs);
    if (status === undefined || first === undefined) return undefined;
    const read: NewSnapshot['lists'][number][] = [];
    for (const { list, scope, rows } of lists) {
      const records: string[] = [];
      for (const row of rows) {
        records.push(printJson(row));
        yield;
      }
      const isOfTheMoment = list === 'status' || list === 'segments';
      read.push({ kind: 'read', list, scope, records, ...(isOfTheMoment && { isOfTheMoment }) });
    }
    const { blockHeight = null, blockTimeNs = null } = first.facts;
    const isRead = (name: string): boolean => lists.some(({ list, scope }) => list === name && scope === '');
    return {
      chainId: chainOfStatus(status),
      snapshot: {
        ...{ takenMs: first.takenMs, endedMs: Math.max(...lists.map(({ endedMs }) => endedMs)) },
        ...{ node: shownAddress(this.client.base), blockHeight, blockTimeNs },
        genesisTime: genesisOfStatus(status),
        lists: read,
        notRead: RECORDED_LISTS.filter(name => !isRead(name)),
      },
    };
  }
}

const nameOf = ({ list, scope }: SeenList): string => `${list} ${scope}`;
