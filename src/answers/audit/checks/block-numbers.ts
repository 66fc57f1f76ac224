import type { Range } from '../../../chain/insight/range.ts';
import type { Check, CheckFindings, Disagreement } from '../check.ts';
import type { BlockPlace, RunningCheck } from '../check-interface.ts';

/** Block numbers count up by one. */
export const blockNumbers: Check = {
  name: 'block-numbers',
  title: 'block numbers are consecutive',
  kind: 'differs',
  tables: ['blocks'],
  helpers: ['ledger', 'balances'],
  isOfWholeChain: true,
  blindSpots: ['one missing block in which nothing happened: see skipped-blocks'],
  start: ({ findings }) => checkGaps(findings, false),
};

/** Single blocks without a row: nodes store none for a block with the time of the block before it. */
export const skippedBlocks: Check = {
  ...blockNumbers,
  name: 'skipped-blocks',
  title: 'no single block is missing',
  kind: 'look',
  blindSpots: ['whether the node skipped a block with the time of the block before it, or its row is missing'],
  start: ({ findings }) => checkGaps(findings, true),
};

function checkGaps(findings: CheckFindings, wantsSkipped: boolean): RunningCheck {
  const gaps = new Gaps();
  let lastBlock: BlockPlace | undefined;
  const judge = (judged: GapVerdict | undefined, block: BlockPlace | undefined): void => {
    if (judged === undefined) return;
    findings.compared(block);
    if (judged.found !== undefined && judged.isSkipped === wantsSkipped) findings.differs(judged.found);
  };
  return {
    beginRange: (_isFromFirstBlock, range) => {
      judge(gaps.end(), lastBlock);
      gaps.begin(range);
    },
    row: row => {
      if (row.table === 'blocks') findings.read();
      gaps.take(row.table === 'blocks' ? row.height : undefined);
    },
    endBlock: block => {
      lastBlock = block;
      for (const judged of gaps.endBlock(block)) judge(judged, block);
    },
    end: () => judge(gaps.end(), lastBlock),
  };
}

interface GapVerdict {
  readonly found: Disagreement | undefined;
  /** One block without a row, and nothing that happened in it. */
  readonly isSkipped: boolean;
}

class Gaps {
  #next: bigint | undefined;
  #to: bigint | undefined;
  #heights: bigint[] = [];
  #hasOthers = false;
  /** Rows of other tables lie at a time without a block. */
  #hasRowsBetween = false;

  begin({ from, to }: Range): void {
    this.#next = from;
    this.#to = to;
    this.#hasRowsBetween = false;
  }

  /** The gap at the end of the range, if any. */
  end(): GapVerdict | undefined {
    const [next, to] = [this.#next, this.#to];
    this.#to = undefined;
    return next === undefined || to === undefined || next > to ? undefined : this.#missing(next, to, undefined);
  }

  /** A row of this block: its number, or undefined for a row of another table. */
  take(height: bigint | undefined): void {
    if (height === undefined) this.#hasOthers = true;
    else this.#heights.push(height);
  }

  endBlock(block: BlockPlace): readonly GapVerdict[] {
    const heights = this.#heights;
    if (heights.length === 0 && this.#hasOthers) this.#hasRowsBetween = true;
    const judged = heights.map(height => this.#judge(height, block));
    this.#heights = [];
    this.#hasOthers = false;
    return judged;
  }

  #judge(height: bigint, block: BlockPlace): GapVerdict {
    const next = this.#next ?? height;
    const hasRowsBetween = this.#hasRowsBetween;
    this.#next = height + 1n;
    this.#hasRowsBetween = false;
    // Genesis and the first block are both number 1.
    const isGenesis = height === 1n && next === 2n;
    if (height === next || isGenesis) return { found: undefined, isSkipped: false };
    if (height < next)
      return { found: { what: `block ${height} comes after block ${next - 1n}`, block }, isSkipped: false };
    return this.#missing(next, height - 1n, block, hasRowsBetween);
  }

  #missing(first: bigint, last: bigint, block: BlockPlace | undefined, hasRows = this.#hasRowsBetween): GapVerdict {
    const isOne = first === last;
    const what = isOne ? `block ${first} is missing` : `blocks ${first} to ${last} are missing`;
    return { found: { what, block }, isSkipped: isOne && !hasRows };
  }
}
