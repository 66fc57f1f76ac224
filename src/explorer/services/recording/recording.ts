import type { EffectOn } from '../effect.ts';
import { messageOf } from '../failure.ts';
import type { NodeState } from '../node/node.ts';
import type { Preferences } from '../preferences.ts';

/** What recording the lists that are read anyway needs of the world. */
export interface RecordingWorld {
  /** Stores them while the signal lasts; resolves with the reason if that cannot go on. */
  readonly recordLists: (signal: AbortSignal) => Promise<string>;
}

interface Noticed {
  readonly type: 'noticed';
  readonly text: string;
  readonly tone: 'bad';
}

/** The setting and a node: a snapshot is stored already, and the demo chain is another one each time. */
export const isRecorded = (
  { label, moment }: Pick<NodeState, 'label' | 'moment'>,
  { recordLists }: Pick<Preferences, 'recordLists'>,
): boolean => recordLists === 'on' && moment === null && label !== 'demo';

export function recordingEffects(
  node: NodeState,
  preferences: Preferences,
): readonly EffectOn<RecordingWorld, Noticed>[] {
  if (node.status !== 'ready' || !isRecorded(node, preferences)) return [];
  return [
    {
      key: `record lists ${node.requestId}`,
      isBackground: true,
      run: async (world, signal) => [notice(await world.recordLists(signal))],
      failed: error => [notice(messageOf(error))],
    },
  ];
}

const notice = (problem: string): Noticed => ({
  type: 'noticed',
  text: `Lists are not recorded: ${problem}`,
  tone: 'bad',
});
