import { type Json, member } from '../api/json.ts';
import { readSegments, SEGMENTS_REQUEST } from '../export/range/history.ts';
import { utcTime } from '../insight/time.ts';
import { textAt } from './in-lists.ts';
import type { LookUp, WhatFound } from './look-up.ts';

/** The epoch of this number, with its times and blocks. */
export const asEpoch = (digits: string): LookUp => ({
  where: 'epochs',
  request: { path: 'api/v2/epoch', query: [['id', digits]] },
  missing: `no epoch ${digits} known to this node`,
  read: answer => {
    const epoch = epochIn(answer);
    // 0 requests the current epoch.
    if (epoch.seq !== digits) return { roles: [], otherwise: `no epoch ${digits}` };
    return {
      roles: [{ role: 'epoch', text: spanOf(epoch), lead: { entity: 'epoch', id: digits } }],
      otherwise: '',
    };
  },
});

/** The block at this height: its epoch and estimated time. */
export const asHeight = (digits: string): LookUp => ({
  where: 'blocks by epoch',
  request: { path: 'api/v2/epoch', query: [['block', digits]] },
  missing: `no block ${digits} in the epochs known to this node`,
  read: answer => {
    const epoch = epochIn(answer);
    const otherwise = 'not a block of the epochs known to this node';
    if (!/^\d+$/.test(epoch.firstBlock) || BigInt(digits) < BigInt(epoch.firstBlock)) return { roles: [], otherwise };
    const isAhead = epoch.lastBlock !== '' && BigInt(digits) > BigInt(epoch.lastBlock);
    if (isAhead) return { roles: [], otherwise };
    const about = timeOfBlock(epoch, BigInt(digits));
    // An open epoch has no last block yet, so a node may put any higher block into it.
    const unless = epoch.lastBlock === '' ? 'if the chain has reached it, ' : '';
    const text = `in epoch ${epoch.seq}, ${unless}${about ?? spanOf(epoch)}`;
    return { roles: [{ role: 'block height', text, lead: { entity: 'epoch', id: epoch.seq } }], otherwise };
  },
});

/** The history segment that holds the block. */
export const amongSegments = (digits: string): LookUp => ({
  where: 'history segments',
  request: SEGMENTS_REQUEST,
  read: answer => {
    const segments = readSegments(answer) ?? [];
    const height = BigInt(digits);
    const otherwise = `not in the ${segments.length} history segments listed`;
    const held = segments.find(({ fromHeight, toHeight }) => fromHeight <= height && height <= toHeight);
    if (held === undefined) return { roles: [], otherwise };
    return { roles: [{ role: 'block in a history segment', text: `${held.fromHeight}-${held.toHeight}` }], otherwise };
  },
});

/** The head of the chain, which shows whether a number is ahead of it. */
export const besideHead = (digits: string): LookUp => ({
  where: 'the head of the chain',
  request: { path: 'statistics', query: [] },
  read: (answer): WhatFound => {
    const statistics = member(answer, 'statistics');
    const [height, epoch] = [textAt(statistics, 'blockHeight'), textAt(statistics, 'epochSeq')];
    const isAhead = /^\d{1,18}$/.test(height) && BigInt(digits) > BigInt(height);
    const head = `the chain is at block ${height || 'unknown'} of epoch ${epoch || 'unknown'}`;
    return { roles: [], otherwise: isAhead ? `not reached yet: ${head}` : '' };
  },
});

interface EpochParts {
  readonly seq: string;
  readonly startNs: string;
  /** Unix nanoseconds and a height; '' while the epoch is open. */
  readonly endNs: string;
  readonly firstBlock: string;
  readonly lastBlock: string;
}

function epochIn(answer: Json): EpochParts {
  const epoch = member(answer, 'epoch');
  const text = (name: string): string => {
    const found = textAt(epoch, 'timestamps', name);
    return /^\d{1,20}$/.test(found) && found !== '0' ? found : '';
  };
  return {
    seq: textAt(epoch, 'seq'),
    startNs: text('startTime'),
    endNs: text('endTime'),
    firstBlock: text('firstBlock'),
    lastBlock: text('lastBlock'),
  };
}

function spanOf({ startNs, endNs, firstBlock, lastBlock }: EpochParts): string {
  const began = startNs === '' ? '' : `from ${utcTime(startNs)} `;
  const ended = endNs === '' || lastBlock === '' ? 'still open' : `to ${utcTime(endNs)}`;
  return `${began}${ended}, blocks ${firstBlock || '?'}-${endNs === '' ? '' : lastBlock}`;
}

/** Estimated from the two ends of an epoch that is over. */
function timeOfBlock({ startNs, endNs, firstBlock, lastBlock, seq }: EpochParts, block: bigint): string | undefined {
  if (startNs === '' || endNs === '' || lastBlock === '') return undefined;
  const blocks = BigInt(lastBlock) - BigInt(firstBlock) + 1n;
  if (blocks <= 0n || BigInt(endNs) < BigInt(startNs)) return undefined;
  const ns = BigInt(startNs) + ((BigInt(endNs) - BigInt(startNs)) * (block - BigInt(firstBlock))) / blocks;
  const second = (ns / 1_000_000_000n) * 1_000_000_000n;
  return `made at about ${utcTime(String(second))}, estimated from the ends of epoch ${seq}`;
}
