import { startNode } from '../../../src/node/index.ts';
import { startStrictNode } from '../../support/strict-node.ts';

/** A node that a flow runs against, and what a person in front of it would know. */
export interface FlowNode extends AsyncDisposable {
  readonly url: string;
  /** Lists no provisions unless a market or a party is named. */
  readonly demandsFilters: boolean;
  /** A table of its history whose columns are those of deployed nodes. */
  readonly exportTable: string;
  /** Whether it names its markets and assets; the names are seen a moment after the rows. */
  readonly hasNames: boolean;
}

export interface FlowNodeOptions {
  readonly framing?: 'zip' | 'json';
}

interface StartableNode {
  readonly name: string;
  start(options?: FlowNodeOptions): Promise<FlowNode>;
}

export const embedded: StartableNode = {
  name: 'the embedded node',
  start: async ({ framing = 'zip' } = {}) => {
    const node = await startNode({ exportFraming: framing });
    return {
      url: node.url,
      demandsFilters: true,
      exportTable: 'ledger',
      hasNames: true,
      [Symbol.asyncDispose]: () => node.close(),
    };
  },
};

export const stranger: StartableNode = {
  name: 'a node that shares no code with ours',
  start: async ({ framing = 'zip' } = {}) => {
    const node = await startStrictNode({ framing, sizesAfterData: true });
    return {
      url: node.url,
      demandsFilters: false,
      exportTable: 'blocks',
      hasNames: false,
      [Symbol.asyncDispose]: () => node.close(),
    };
  },
};

/** Ours, and in the full run also the one written from the published interface alone. */
export const nodes: readonly StartableNode[] = process.env.EVERY_NODE === 'yes' ? [embedded, stranger] : [embedded];
