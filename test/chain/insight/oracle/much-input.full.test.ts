import { describe, expect, it } from 'vitest';
import { argumentText, findFunction, normaliserText } from '../../../../src/chain/insight/oracle/abi.ts';
import { conditionText } from '../../../../src/chain/insight/oracle/condition.ts';
import { computeDelivery } from '../../../../src/chain/insight/oracle/delivery.ts';
import { canonicalSignature, functionDeclaration } from '../../../../src/chain/insight/oracle/function-signature.ts';
import { scheduleText, triggerSchedule } from '../../../../src/chain/insight/oracle/schedule.ts';
import { sourceSentence, watchesSentence } from '../../../../src/chain/insight/oracle/source-sentence.ts';
import { cpuMs } from '../../../support/cpu-time.ts';

describe('Large oracle input from a node', () => {
  const MANY = 100_000;
  const within = (ms: number, work: () => void): void => {
    const start = cpuMs();
    work();
    expect(cpuMs() - start).toBeLessThan(ms);
  };

  it.each([
    ['functions of one name', Array.from({ length: MANY }, () => '{"name":"get"}').join(',')],
    [
      'functions of numbered names',
      Array.from({ length: MANY }, (_, index) => `{"name":"get${index}"},{"name":"get"}`).join(','),
    ],
    ['types', `{"name":"f","inputs":[${Array.from({ length: MANY }, () => '{"type":"uint256[][]"}').join(',')}]}`],
    ['brackets', `{"name":"f","inputs":[{"type":"uint256${'[1]'.repeat(1_700_000)}"}]}`],
    ['structures', `{"name":"f","inputs":[${'{"type":"tuple","components":['.repeat(5000)}${']}'.repeat(5000)}]}`],
    ['lists', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
    ['characters of a name', `{"name":"f","inputs":[{"type":"bool","name":"${'a'.repeat(5_000_000)}"}]}`],
  ])('An ABI of many %s is read in a moment', (_, items) => {
    within(3000, () => {
      for (const name of ['f', 'none']) {
        const method = findFunction(`[${items}]`, name);
        if ('problem' in method) continue;
        canonicalSignature(method);
        functionDeclaration(method);
      }
    });
  });

  it('Many filters, conditions, triggers and signers are put into words in a moment', () => {
    const one = {
      key: { name: 'p', type: 'TYPE_INTEGER', decimalPlaces: '18' },
      conditions: [{ operator: 'x', value: '1'.repeat(78) }],
    };
    const filters = Array.from({ length: MANY }, () => one);
    const conditions = filters.flatMap(filter => filter.conditions);
    const triggers = Array.from({ length: MANY }, (_, index) => ({ initial: String(index), every: '7', until: '' }));
    const signers = Array.from({ length: MANY }, () => ({ kind: 'key', id: '0e' }) as const);
    within(3000, () => {
      for (const sent of [
        { variant: 'oracle', signers, filters },
        { variant: 'time', conditions },
        { variant: 'time-trigger', triggers, conditions },
      ] as const) {
        sourceSentence(sent);
        watchesSentence(sent);
      }
      const schedules = triggers.map(trigger => triggerSchedule(trigger, 'chain'));
      computeDelivery({ schedules, now: 10n ** 9n, since: 0n }, 'never', 60n);
    });
  });

  it('Long oracle texts are put into words in a moment', () => {
    const long = ['1', 'a', '[', 'A', ' ', '$[0].a', '"'].map(part => part.repeat(5_000_000 / part.length));
    within(3000, () => {
      for (const given of long) {
        argumentText(given, 'bytes32');
        argumentText(JSON.stringify(given), 'bytes32');
        normaliserText({ name: '', expression: given }, undefined);
        conditionText({ operator: given, value: given }, { name: '', type: 'TYPE_INTEGER', decimalPlaces: given });
        conditionText({ operator: given, value: given }, { name: '', type: 'TYPE_TIMESTAMP', decimalPlaces: given });
        scheduleText(triggerSchedule({ initial: given, every: given, until: given }, 'contract'));
      }
    });
  });
});
