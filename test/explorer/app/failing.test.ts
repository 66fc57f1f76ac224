import { describe, expect, it } from 'vitest';
import {
  MissingListError,
  NetworkError,
  RateLimitedError,
  RefusedError,
  TimeoutError,
  UndecodableError,
} from '../../../src/chain/api/errors.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import { toScreenFailure } from '../../../src/explorer/services/failure.ts';
import { MomentError } from '../../../src/memory/record/open-snapshot.ts';
import { atRange, end, exporting, wizardOf } from '../support/export-scenes.ts';
import { answerPage, browserOf, FakeWorld, last, press, startSession, told } from '../support/fake-world.ts';
import { overlayOf } from '../support/layers.ts';
import { showing, type } from '../support/list-scenes.ts';
import { pageOf, provision } from '../support/provision-pages.ts';

const noticeOf = (session: Session) => session.state().notice;

describe('Failed effects in the explorer', () => {
  it('A snapshot that cannot be shown comes with what to do', () => {
    const hints = [
      new MomentError('snapshot 7 not found'),
      Object.assign(new Error('x is damaged'), { name: 'SnapshotError', hint: 'try y' }),
    ]
      .map(toScreenFailure)
      .map(({ title, lines, hint }) => [title, ...lines, hint]);
    expect(hints).toEqual([
      [
        'The snapshot cannot be shown',
        'snapshot 7 not found',
        'choose another with :at, or show the node with :at now',
      ],
      ['The snapshot cannot be shown', 'x is damaged', 'try y'],
    ]);
  });

  it('A chain name that fails stays empty, and is not requested again', async () => {
    let asked = 0;
    class Nameless extends FakeWorld {
      override readonly chainId = async () => {
        asked++;
        throw new Error('no statistics');
      };
    }
    const { session, world } = await showing(pageOf([provision(1)]), { world: new Nameless() });
    press(session, 'r');
    await answerPage(world, pageOf([provision(1)]));
    expect([session.state().node.chainId, asked]).toEqual(['', 1]);
  });

  it('A copy that fails shows its error', async () => {
    class Mute extends FakeWorld {
      override readonly copy = () => Promise.reject(new Error('no clipboard'));
    }
    const { session } = await showing(pageOf([provision(1)]), { world: new Mute() });
    press(session, 'y', 'enter');
    await session.idle();
    expect(noticeOf(session)).toEqual({ text: 'no clipboard', tone: 'bad' });
    expect(session.state().copying).toBeNull();
  });

  it('A copy that did not arrive is reported as bad', async () => {
    class Doubtful extends FakeWorld {
      override readonly copy = async () => ({ message: 'the terminal may not take it', isDone: false });
    }
    const { session } = await showing(pageOf([provision(1)]), { world: new Doubtful() });
    press(session, 'y', 'enter');
    await session.idle();
    expect(noticeOf(session)).toEqual({ text: 'the terminal may not take it', tone: 'bad' });
  });

  it('A preview that fails is shown in place of the first rows of an export', async () => {
    class Blind extends FakeWorld {
      override readonly preview = () => Promise.reject(new Error('the file is gone'));
    }
    const { session, world } = await exporting(new Blind());
    await end(world);
    press(session, 'v');
    await told();
    expect(overlayOf(session.state())).toMatchObject({ kind: 'value', text: 'the file is gone' });
  });

  it('An export that breaks ends as failed, with the error itself', async () => {
    const { session, world } = await exporting();
    const error = new Error('the disk is full');
    last(world.exports).fail(error);
    await told();
    expect(session.state().job).toMatchObject({
      status: 'ended',
      result: { kind: 'failed', error, partPath: null, elapsedMs: 0 },
    });
  });

  it('A block lookup that fails is shown next to its bound, whatever was thrown', async () => {
    const { session, world } = await atRange();
    type(session, 'e41');
    press(session, 'enter');
    last(world.places).fail('a bare text');
    await told();
    expect(wizardOf(session)).toMatchObject({ locating: null, problem: 'a bare text' });
  });

  it('A wait that fails changes nothing in the session', async () => {
    const { session, world } = await startSession();
    const before = session.state();
    last(world.waits).fail(new Error('the clock broke'));
    await told();
    expect(session.state()).toBe(before);
  });

  it('A list that the node refuses for another reason opens no filter bar', async () => {
    const { session, world } = await startSession();
    last(world.pages).fail(new RefusedError(500, { message: 'out of memory', details: [] }, { url: 'u', hint: 'h' }));
    await told();
    expect(browserOf(session)).toMatchObject({ demand: null, filterBar: null, failure: { kind: 'refused' } });
  });
});

describe('Error on the screen', () => {
  const at = { url: 'http://n/x', hint: 'look there' };

  it.each([
    [new NetworkError('no route', at), 'The node cannot be reached', 'network'],
    [new TimeoutError('too long', at), 'The node did not answer in time', 'timeout'],
    [new UndecodableError('no JSON', at), 'The answer cannot be used', 'undecodable'],
  ])('An error has a title, the message, the address and what to try: %s', (error, title, kind) => {
    const lines = [error.message];
    expect(toScreenFailure(error)).toEqual({ title, lines, hint: at.hint, url: at.url, kind, retryAtMs: 0 });
  });

  it('An error has every line of a refusal', () => {
    expect(toScreenFailure(new RefusedError(503, { code: 8, message: 'busy', details: [] }, at))).toEqual({
      title: 'The node answered HTTP 503',
      lines: ['busy (code 8)'],
      hint: at.hint,
      url: at.url,
      kind: 'refused',
      retryAtMs: 0,
    });
  });

  it('An error is not a failure of the node when it has no such list: a sentence says so', () => {
    const refused = new RefusedError(
      404,
      { code: 5, message: 'Not Found', details: [] },
      { url: 'http://n/x', hint: '' },
    );
    expect(toScreenFailure(new MissingListError('markets', refused))).toMatchObject({
      kind: 'missing',
      title: 'This node has no list of markets (HTTP 404)',
      lines: ['Not Found (code 5)'],
      url: 'http://n/x',
    });
  });

  it('An error of a rate-limited node has its message, and when it may be asked again', () => {
    expect(toScreenFailure(new RateLimitedError('HTTP 429', { url: at.url, retryAtMs: 7 }))).toMatchObject({
      title: 'Too many requests',
      lines: ['HTTP 429'],
      url: at.url,
      kind: 'rate-limited',
      retryAtMs: 7,
    });
  });

  it.each([[new Error('odd')], ['odd']])('An error that does not come from the node asks to be reported: %s', error => {
    expect(toScreenFailure(error)).toEqual({
      title: 'Something went wrong',
      lines: ['odd'],
      hint: 'try again; if it stays, report it',
      url: '',
      kind: 'fault',
      retryAtMs: 0,
    });
  });
});
