import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askBackground } from '../../../src/explorer/terminal/background.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

function asked() {
  const sent: string[] = [];
  const told: string[] = [];
  const query = askBackground(
    sequence => void sent.push(sequence),
    background => void told.push(background),
  );
  return { sent, told, query };
}

describe('Question for the background', () => {
  it('The question is sent once, and the first reply in time is told', () => {
    const { sent, told, query } = asked();
    expect(sent).toEqual(['\u001b]11;?\u001b\\\u001b[c']);
    vi.advanceTimersByTime(1500);
    query.onBackground('light');
    query.onBackground('dark');
    expect(told).toEqual(['light']);
  });

  it('A reply after two seconds is not told', () => {
    const { told, query } = asked();
    vi.advanceTimersByTime(2001);
    query.onBackground('light');
    expect(told).toEqual([]);
  });

  it('A reply behind the attributes is not told', () => {
    const { told, query } = asked();
    query.onAttributes();
    query.onBackground('light');
    expect(told).toEqual([]);
  });

  it('Quitting waits for the attributes, for 300 ms at most, and not at all later', async () => {
    const settled = vi.fn();
    const { query } = asked();
    void query.settled().then(settled);
    await vi.advanceTimersByTimeAsync(200);
    expect(settled).not.toHaveBeenCalled();
    query.onAttributes();
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toHaveBeenCalledOnce();
    const silent = asked().query;
    void silent.settled().then(settled);
    await vi.advanceTimersByTimeAsync(299);
    expect(settled).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledTimes(2);
    await silent.settled();
  });
});
