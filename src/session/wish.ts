import type { PageRequest } from '../resources/page-request.ts';
import type { Around, Row } from '../resources/resource.ts';
import { type ExportWish, exportWishes } from './export-wishes.ts';
import { openTicket } from './model/meaning.ts';
import type { NodeChoice } from './model/nodes.ts';
import type { SessionState } from './model/state.ts';
import type { Copying, Saving } from './model/taking.ts';
import { type Timer, timers, viewerTimers } from './timers.ts';
import { type ViewerWish, viewerWishes } from './viewer-wishes.ts';
import { type WholeWish, wholeWishes } from './whole-wishes.ts';

/** Something the state wants done in the world. `key` tells one wish from another as long as it is open. */
export type Wish =
  | ExportWish
  | ViewerWish
  | Timer
  | ({ readonly key: string } & (
      | WholeWish
      | { readonly kind: 'connect'; readonly choice: NodeChoice }
      | { readonly kind: 'chain' }
      | { readonly kind: 'build' }
      | { readonly kind: 'check'; readonly ticket: number }
      | { readonly kind: 'directory'; readonly from: 'kept' | 'node'; readonly chainId: string }
      | {
          readonly kind: 'page';
          readonly ticket: number;
          readonly resource: string;
          readonly request: PageRequest;
        }
      | {
          readonly kind: 'explain';
          readonly ticket: number;
          readonly resource: string;
          readonly row: Row;
          readonly around: Around;
        }
      | ({ readonly kind: 'copy' } & Copying)
      | ({ readonly kind: 'save' } & Saving)
    ));

/** Everything the state wants now, made of the state alone. */
export function wishesOf(state: SessionState): readonly Wish[] {
  if (state.isEnded) return [];
  return [...takingWishes(state), ...viewerWishes(state), ...viewerTimers(state), ...nodeWishes(state)];
}

function nodeWishes(state: SessionState): readonly Wish[] {
  const { status, ticket, choice } = state.node;
  if (status === 'starting') return [{ key: `connect ${ticket}`, kind: 'connect', choice }];
  if (status === 'failed' || status === 'unasked') return [];
  return [
    ...pageWishes(state),
    ...wholeWishes(state),
    ...explainWishes(state),
    ...chainWishes(state),
    ...buildWishes(state),
    ...checkWishes(state),
    ...directoryWishes(state),
    ...exportWishes(state),
    ...timers(state),
  ];
}

function pageWishes(state: SessionState): readonly Wish[] {
  return Object.values(state.browsers).flatMap(({ resource, loading, prefetching }) =>
    [loading, prefetching].flatMap(wish =>
      wish === null
        ? []
        : [
            {
              key: `page ${wish.ticket}`,
              kind: 'page',
              ticket: wish.ticket,
              resource,
              request: wish.request,
            } as const,
          ],
    ),
  );
}

function explainWishes(state: SessionState): readonly Wish[] {
  return Object.values(state.browsers).flatMap(({ resource, inspector }) => {
    const ticket = inspector && openTicket(inspector.meaning);
    if (inspector === null || ticket === null) return [];
    const { row, around } = inspector;
    return [{ key: `explain ${ticket}`, kind: 'explain', ticket, resource, row, around } as const];
  });
}

// Chain and core are worth one question, after the first page or the segments are there, and the build another behind it.
const chainWishes = (state: SessionState): readonly Wish[] =>
  state.node.isChainDoubted && (isServed(state) || state.wizard.boundaries !== null)
    ? [{ key: 'chain', kind: 'chain' }]
    : [];

const buildWishes = ({ node }: SessionState): readonly Wish[] =>
  node.build.isDoubted ? [{ key: 'build', kind: 'build' }] : [];

const checkWishes = ({ node: { checking } }: SessionState): readonly Wish[] =>
  checking === null ? [] : [{ key: `check ${checking}`, kind: 'check', ticket: checking }];

// Names come after what they are the names of.
function directoryWishes(state: SessionState): readonly Wish[] {
  const { from } = state.naming;
  const { chainId, isChainDoubted } = state.node;
  if (from === null || chainId === null || isChainDoubted || !isServed(state)) return [];
  return [{ key: `directory ${from} ${chainId}`, kind: 'directory', from, chainId }];
}

const isServed = ({ browsers }: SessionState): boolean => Object.values(browsers).some(({ page }) => page !== null);

const takingWishes = ({ copying, saving }: SessionState): readonly Wish[] => [
  ...(copying === null ? [] : [{ key: `copy ${copying.ticket}`, kind: 'copy', ...copying } as const]),
  ...(saving === null || saving.isAsked ? [] : [{ key: `save ${saving.ticket}`, kind: 'save', ...saving } as const]),
];
