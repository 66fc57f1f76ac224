import { describe, expect, it } from 'vitest';
import type { SentRequest } from '../../../../src/chain/api/sent-request.ts';
import type { Session } from '../../../../src/explorer/app/session.ts';
import { requestLines, requestPath } from '../../../../src/explorer/screens/requests/request-lines.ts';
import type { RequestLog } from '../../../../src/explorer/screens/requests/state.ts';
import { curlForUrl } from '../../../../src/explorer/services/copying/equal-commands.ts';
import { answerPage, type FakeWorld, last, press, startSession, told } from '../../support/fake-world.ts';
import { layersOf, openState, overlayOf, placeOf } from '../../support/layers.ts';
import { onFirstPage } from '../../support/list-scenes.ts';
import { provisionPage } from '../../support/provision-pages.ts';
import { requestsTold } from '../../support/requests-told.ts';

async function tell(world: FakeWorld, requests: readonly SentRequest[]): Promise<void> {
  const { answer, asked } = last(world.tells);
  answer({ version: asked + 1, requests });
  await told();
}

async function opened(count = 60) {
  const { session, world } = await onFirstPage();
  press(session, 'L');
  await tell(world, requestsTold(count));
  return { session, world };
}

const viewOf = (session: Session): RequestLog => openState(session, 'requests');

describe('Request log', () => {
  it('The request log is subscribed to while it is open, and only then', async () => {
    const { session, world } = await onFirstPage();
    expect(world.tells).toEqual([]);
    press(session, 'L');
    expect(last(world.tells).asked).toBe(-1);
    await tell(world, requestsTold(3));
    expect(last(world.tells).asked).toBe(0);
    const { signal } = last(world.tells);
    press(session, 'L');
    expect(signal.aborted).toBe(true);
    expect(placeOf(session.state())).toBe('list');
    let news = 0;
    session.subscribe(() => news++);
    last(world.tells).answer({ version: 9, requests: requestsTold(9) });
    await told();
    expect([news, world.tells.length]).toEqual([0, 2]);
  });

  it('The request log does not delay idle or close of the session by its subscription', async () => {
    const { session } = await opened();
    await session.idle();
    await session.close();
  });

  it('The request log can be read while the node is being found, and when there is none', async () => {
    const { session, world } = await startSession();
    press(session, 'L');
    await tell(world, requestsTold(2));
    await answerPage(world, provisionPage(1));
    expect(viewOf(session).requests.length).toBe(2);
    session.dispatch({
      type: 'node-failed',
      failure: { kind: 'network', title: '', lines: [], hint: '', retryAtMs: 0, url: '' },
    });
    await tell(world, requestsTold(3));
    expect(viewOf(session).requests.length).toBe(3);
  });

  it('The request log follows the newest request while it is selected, and otherwise keeps the selection in place', async () => {
    const { session, world } = await opened();
    await tell(world, requestsTold(62));
    expect([viewOf(session).row, viewOf(session).top]).toEqual([0, 0]);
    press(session, 'ctrl-f', 'ctrl-f', 'j');
    const before = viewOf(session);
    await tell(world, requestsTold(65));
    const after = viewOf(session);
    expect(after.requests[after.row]?.id).toBe(before.requests[before.row]?.id);
    expect(after.row - after.top).toBe(before.row - before.top);
  });

  it('The request log shows one request in full, and returns to it', async () => {
    const { session } = await opened();
    press(session, 'j', 'j', 'enter');
    const overlay = overlayOf(session.state());
    expect(overlay).toMatchObject({ kind: 'value', title: 'request' });
    expect(overlay?.kind === 'value' && overlay.text).toContain('reference=a 58');
    press(session, 'esc');
    expect(viewOf(session).row).toBe(2);
    press(session, 'esc');
    expect(layersOf(session)).toEqual([]);
  });

  it('The request log copies the requested address for curl', async () => {
    const { session, world } = await opened();
    press(session, 'j', 'y');
    await told();
    const url = 'http://127.0.0.1:3008/api/v2/liquidity/provisions?pagination.first=50&reference=a%2059';
    expect(world.copies).toEqual([{ what: 'curl', text: `curl -sS '${url}'` }]);
  });

  it('The request log offers the same from the full request, and Backspace comes back from there', async () => {
    const { session, world } = await opened();
    press(session, 'j', 'enter', 'y', 'enter');
    await told();
    const url = 'http://127.0.0.1:3008/api/v2/liquidity/provisions?pagination.first=50&reference=a%2059';
    expect(world.copies.map(({ text }) => text)).toEqual([`curl -sS '${url}'`]);
    press(session, 'backspace');
    expect(viewOf(session).row).toBe(1);
  });

  it('The request log gives way to a tab, and covers a statement', async () => {
    const { session } = await opened();
    press(session, '2');
    expect([layersOf(session), placeOf(session.state())]).toEqual([[], 'list']);
  });

  it('The request log has nothing to show or to copy before any request was sent', async () => {
    const { session, world } = await opened(0);
    press(session, 'y', 'enter');
    expect(world.copies).toEqual([]);
    expect(session.state().notice?.text).toBe('no request was sent yet');
  });
});

describe('Text of a request', () => {
  const [request] = requestsTold(3);
  if (request === undefined) throw new Error('no request');
  const state = async () => (await startSession()).session.state().node;

  it('The text of a request has its decoded query, and the whole address of another node', async () => {
    const here = await state();
    expect(requestPath(request, here)).toBe('liquidity/provisions?pagination.first=50&reference=a 3');
    const { url } = request;
    expect(requestPath({ ...request, url: url.replace('3008', '30081') }, here)).toContain('http://127.0.0.1:30081/');
    expect(requestPath({ ...request, url: `${here.address}/api/v2/x?a=%ff` }, here)).toBe('x?a=%ff');
  });

  it('The text of a request has everything that is known, and says what is not', () => {
    expect(requestLines(request)).toEqual([
      `GET ${request.url}`,
      '  pagination.first=50',
      '  reference=a 3',
      '',
      'sent      2027-01-15T08:00:03.000Z',
      'status    503',
      'problem   HTTP 503: unavailable',
      'took      36 ms',
      'received  3400 bytes with the header',
      'body      not known',
      'attempt   1',
      'left      not reported',
    ]);
  });

  it('The text of a request has no login', async () => {
    const here = { ...(await state()), hasLogin: true };
    expect(curlForUrl(request.url, here)).toBe(
      `curl -sS "\${BLOCKGLASS_NODE%/}"'/api/v2/liquidity/provisions?pagination.first=50&reference=a%203'`,
    );
  });
});
