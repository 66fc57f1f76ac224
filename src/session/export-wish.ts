import { messageOf, toFailure } from '../explorer/services/failure.ts';
import type { World } from '../explorer/services/world.ts';
import type { ExportWish } from './export-wishes.ts';
import type { Fact } from './model/action.ts';

/** Does one wish on the way to an export and returns the facts that come of it. */
export async function fulfilExportWish(
  wish: ExportWish,
  world: World,
  signal: AbortSignal,
  tell: (fact: Fact) => void,
): Promise<readonly Fact[]> {
  switch (wish.kind) {
    case 'boundaries': {
      const { boundaries, hint } = await world.boundaries(signal);
      const facts: Fact[] = [{ type: 'boundaries-known', ticket: wish.ticket, boundaries, hint }];
      return boundaries.kind === 'listed' ? [...facts, { type: 'chain-known', chainId: boundaries.chainId }] : facts;
    }
    case 'locate':
      return [{ type: 'located', ticket: wish.ticket, located: await world.locate(wish.text, wish.bound, signal) }];
    case 'range':
      return [
        { type: 'range-found', ticket: wish.ticket, found: await world.range(wish.range, wish.boundaries, signal) },
      ];
    case 'survey':
      return [{ type: 'surveyed', ticket: wish.ticket, survey: await world.survey(wish.plan, signal) }];
    case 'keep-preset': {
      const { ticket, profile, name, words } = wish.preset;
      await world.keepPreset(profile, name, words);
      return [{ type: 'preset-kept', ticket, problem: null }];
    }
    case 'verify':
      return [{ type: 'verified', ticket: wish.ticket, text: await world.verify(wish, signal) }];
    case 'preview':
      return [{ type: 'previewed', ticket: wish.ticket, text: await world.preview(wish.result) }];
    case 'destination':
      return [{ type: 'destination-checked', ticket: wish.ticket, check: await world.checkDestination(wish.plan) }];
    case 'offer':
      return [{ type: 'offer-known', job: wish.ticket, ...(await world.offerFor(wish.table)) }];
    case 'export': {
      const onProgress = (progress: Parameters<Parameters<World['export']>[1]>[0]) =>
        tell({ type: 'export-progressed', ticket: wish.ticket, progress });
      return [
        {
          type: 'export-ended',
          ticket: wish.ticket,
          result: await world.export(wish.plan, onProgress, signal),
        },
      ];
    }
  }
}

/** The facts that come of it when it could not be done. */
export function exportWishFailed(wish: ExportWish, error: unknown): readonly Fact[] {
  switch (wish.kind) {
    case 'boundaries':
      return [{ type: 'boundaries-failed', ticket: wish.ticket, failure: toFailure(error) }];
    case 'locate':
    case 'range':
      return [{ type: 'not-located', ticket: wish.ticket, problem: messageOf(error) }];
    case 'survey':
      return [{ type: 'surveyed', ticket: wish.ticket, survey: { kind: 'unknown', reason: messageOf(error) } }];
    case 'keep-preset':
      return [{ type: 'preset-kept', ticket: wish.preset.ticket, problem: messageOf(error) }];
    case 'verify':
      return [{ type: 'verified', ticket: wish.ticket, text: messageOf(error) }];
    case 'preview':
      return [{ type: 'previewed', ticket: wish.ticket, text: messageOf(error) }];
    case 'destination':
      return [
        {
          type: 'destination-checked',
          ticket: wish.ticket,
          check: { path: '', exists: false, problem: messageOf(error), freeBytes: null },
        },
      ];
    case 'offer':
      return [{ type: 'offer-known', job: wish.ticket, hasEngine: false, questions: [] }];
    case 'export':
      return [
        {
          type: 'export-ended',
          ticket: wish.ticket,
          result: { kind: 'failed', error, partPath: null, elapsedMs: 0 },
        },
      ];
  }
}
