import type { Client } from '../../api/client.ts';
import { INFO_REQUEST, STATISTICS_REQUEST } from '../../api/core-status.ts';
import { NodeError } from '../../api/errors.ts';
import type { Reply } from '../../api/reply.ts';
import type { NodeRequest } from '../../api/request.ts';
import { SEGMENTS_REQUEST } from '../../export/segment.ts';

/** What came of one request, and when. */
export type StatusAnswer =
  | { readonly kind: 'answered'; readonly reply: Reply; readonly atMs: number }
  | { readonly kind: 'failed'; readonly error: NodeError };

/** What a node was asked, by what it is asked for. */
export interface StatusAnswers {
  /** Of the core behind it. */
  readonly statistics: StatusAnswer;
  readonly info: StatusAnswer;
  readonly segments: StatusAnswer;
  /** The time of its newest block, asked for where no header of the others told it. */
  readonly time: StatusAnswer | null;
}

/** Three requests at once, and a fourth where the headers of their answers are missing. */
export async function askStatus(
  client: Pick<Client, 'get'>,
  signal: AbortSignal,
  nowMs: () => number = Date.now,
): Promise<StatusAnswers> {
  const ask = async (request: NodeRequest): Promise<StatusAnswer> => {
    try {
      const reply = await client.get(request, signal);
      return { kind: 'answered', reply, atMs: nowMs() };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NodeError) return { kind: 'failed', error };
      throw error;
    }
  };
  const [statistics, info, segments] = await Promise.all([
    ask(STATISTICS_REQUEST),
    ask(INFO_REQUEST),
    ask(SEGMENTS_REQUEST),
  ]);
  const answered = [statistics, info, segments].filter(answer => answer.kind === 'answered');
  const isTold = answered.some(({ reply }) => reply.facts.blockTimeNs !== undefined);
  const time = answered.length > 0 && !isTold ? await ask({ path: 'api/v2/vega/time', query: [] }) : null;
  return { statistics, info, segments, time };
}
