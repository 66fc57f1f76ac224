import type { Client } from '../../../api/client.ts';
import { aliasesById } from '../../../directory/aliases.ts';
import type { Answers } from '../../../overview/answers.ts';
import { askOverview, askPart, nextPart } from '../../../overview/ask-overview.ts';
import { type Overview, overviewOf } from '../../../overview/overview.ts';
import { LAG_SECONDS } from '../../../settings/preferences.ts';
import type { Preferences } from '../../services/preferences.ts';

// Loaded with the first request of the overview: the rules and what reads the answers are much code.

export interface OverviewRequest {
  readonly client: Client;
  readonly part: 'all' | 'next';
  /** Those of before: what is not answered anew stays. */
  readonly answers: Answers;
  readonly preferences: Preferences;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly onAnswer: (answers: Answers, overview: Overview) => void;
}

/** Asks, and tells of the answers as they arrive; those that arrive together at once. */
export async function askAndJudge(request: OverviewRequest): Promise<void> {
  const { client, part, answers: before, preferences, nowMs, signal, onAnswer } = request;
  // It may have been given up while this was loaded.
  signal.throwIfAborted();
  const { maxLagSeconds = LAG_SECONDS.usual, aliases } = preferences;
  let latest = before;
  let timer: NodeJS.Immediate | undefined;
  const tell = (): void => {
    clearImmediate(timer);
    timer = undefined;
    if (signal.aborted) return;
    const settings = { nowMs: nowMs(), maxLagMs: maxLagSeconds * 1000, aliases: aliasesById(aliases) };
    onAnswer(latest, overviewOf(latest, settings));
  };
  const options = {
    signal,
    nowMs,
    onAnswer: (answers: Answers): void => {
      latest = part === 'all' ? { ...before, ...onlyAnswered(answers) } : answers;
      timer ??= setImmediate(tell);
    },
  };
  await (part === 'all'
    ? askOverview(client, options)
    : askPart(client, nextPart(before), { ...options, answers: before }));
  tell();
}

const onlyAnswered = (answers: Answers): Partial<Answers> =>
  Object.fromEntries(
    Object.entries(answers).filter(
      ([, part]) => typeof part !== 'object' || !('kind' in part) || part.kind !== 'waiting',
    ),
  );
