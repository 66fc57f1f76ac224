import {
  type ChoiceEvent,
  choiceHandlers,
  choiceKeys,
  choiceList,
  INITIAL_CHOICE_LIST,
  matchingChoices,
} from '../../core/choices.ts';
import type { Effect } from '../../core/runner.ts';
import type { ListScreen, Message, ScreenContext, Step } from '../../core/screen.ts';
import { errorMessage } from '../../services/failure.ts';
import { offeredNodes } from '../../services/node/nodes.ts';
import type { OfferedNode, ProbeAnswer } from '../../services/node/offered-node.ts';
import { type NodeChoiceItem, type NodePicker, nodeChoices, pickerLayout } from './state.ts';
import { drawNodes } from './view.ts';

type NodesEvent =
  | ChoiceEvent
  /** Null where the settings cannot be read. */
  | {
      readonly type: 'offered';
      readonly profiles: readonly OfferedNode[] | null;
      readonly problem: string | null;
      readonly atMs: number;
    }
  | { readonly type: 'probed'; readonly index: number; readonly answer: ProbeAnswer };

export const nodesScreen: ListScreen<NodePicker, NodesEvent, null> = {
  title: 'the nodes',
  needs: 'other-node',
  // Each time it is opened, settings and nodes are queried again, and not before.
  open: () => ({ list: INITIAL_CHOICE_LIST, offered: null, askedAtMs: null, answers: [], problem: null }),
  keys: choiceKeys(shownNodes),
  ...choiceList(shownNodes, (picker: NodePicker, { rows }) => pickerLayout(picker, rows).height),
  handlers: {
    ...choiceHandlers(shownNodes),
    offered: receiveProfiles,
    probed: (picker, { index, answer }) => {
      const answered = { ...picker, answers: picker.answers.with(index, answer) };
      return { state: answered, messages: [comparedMessage(answered)] };
    },
  },
  effects,
  waits: ({ offered, answers, askedAtMs }) => {
    const answered = answers.filter(answer => answer !== null).length;
    return offered === null || answered === answers.length
      ? undefined
      : { key: `nodes ${askedAtMs}`, text: `asking the nodes: ${answered} of ${answers.length} answered` };
  },
  body: (picker, context) => drawNodes(picker, shownNodes(picker), context),
};

function shownNodes(picker: NodePicker): readonly NodeChoiceItem[] {
  const choices = nodeChoices(picker);
  const shown = new Set(matchingChoices(choices, picker.list));
  return choices.filter(choice => shown.has(choice));
}

function receiveProfiles(
  picker: NodePicker,
  { profiles: read, problem, atMs }: Extract<NodesEvent, { readonly type: 'offered' }>,
  { shared }: ScreenContext,
): Step<NodePicker> {
  const profiles = read ?? shared.knownNodes.profiles;
  const nodes = offeredNodes(shared.node, { ...shared.knownNodes, profiles });
  const known = { ...picker, offered: nodes, askedAtMs: atMs, answers: nodes.map(() => null), problem };
  return { state: known, messages: [{ type: 'profiles-read', profiles }, comparedMessage(known)] };
}

/** To the service of the node: how each of the others stands, for a while after this is closed. */
function comparedMessage({ offered, answers, askedAtMs }: NodePicker): Message {
  const nodes = (offered ?? []).flatMap((node, index) => {
    const answer = answers[index] ?? null;
    return answer === null || answer.kind === 'not-started' ? [] : [{ node, answer }];
  });
  return { type: 'nodes-compared', compared: { atMs: askedAtMs ?? 0, nodes } };
}

// Each node is asked once, and no more at a time than a small machine has room for.
function effects({ offered, answers }: NodePicker): readonly Effect<NodesEvent>[] {
  if (offered === null) return [READ_SETTINGS];
  const waiting = offered.flatMap((node, index) => (answers[index] === null ? [{ node, index }] : []));
  return waiting.slice(0, PROBES_AT_ONCE).map(({ node, index }) => ({
    key: `probe ${index}`,
    run: async (world, signal) => [{ type: 'probed', index, answer: await world.probe(node.choice, signal) }],
    failed: error => [{ type: 'probed', index, answer: { kind: 'failed', problem: errorMessage(error) } }],
  }));
}

const PROBES_AT_ONCE = 24;

const READ_SETTINGS: Effect<NodesEvent> = {
  key: 'settings',
  run: async world => [{ type: 'offered', ...(await world.profiles()), atMs: world.nowMs() }],
  failed: (error, atMs) => [{ type: 'offered', profiles: null, problem: errorMessage(error), atMs }],
};
