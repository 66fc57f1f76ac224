import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateLimitedError, RefusedError } from '../../../src/chain/api/errors.ts';
import type { JsonObject } from '../../../src/chain/api/json.ts';
import type { Ask, ExplainContext, Explanation } from '../../../src/chain/explain/explanation.ts';
import { explainBundle } from '../../../src/chain/explain/signer-bundles.ts';
import { directoryWith, validator } from '../directory/directories.ts';
import { FORM, flipped, highTwin, keyNumber, REMOVAL } from '../insight/signer-bundle/signing.ts';
import { VECTORS } from '../insight/signer-bundle/vectors.ts';

const CONTRACT = `0x${'0c'.repeat(20)}`;
const ETHEREUM = { chain_id: '1', multisig_control_contract: { address: CONTRACT } };
const OTHERS = { configs: [{ chain_id: '42161', multisig_control_contract: { address: `0x${'0d'.repeat(20)}` } }] };

/** A node that gives these parameters and nothing else. */
const asking =
  (parameters: { readonly [key: string]: object }): Ask =>
  async ({ path }) => {
    const key = path.split('/').at(-1) ?? '';
    const value = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    return value === undefined ? undefined : { networkParameter: { key, value: JSON.stringify(value) } };
  };
const both = asking({ 'blockchains.ethereumConfig': ETHEREUM, 'blockchains.evmBridgeConfigs': OTHERS });

const keys = [0, 1, 2, 3].map(keyNumber);
const validators = keys.map(({ address }, index) => validatorOf(address, `Validator ${index}`));

function validatorOf(ethereumAddress: string, name: string) {
  return [`0${ethereumAddress.slice(-2)}`, validator({ name, ethereumAddress })] as const;
}

const bundle = (signatures: readonly string[], more: JsonObject = {}): JsonObject => ({
  oldSigner: REMOVAL.oldSigner,
  submitter: keys[1]?.address ?? '',
  nonce: '42',
  timestamp: '1700000000000000000',
  signatures: signatures.length === 0 ? '' : `0x${signatures.join('')}`,
  epochSeq: '7',
  ...more,
});
const removal = { ...REMOVAL, submitter: keys[1]?.address ?? '' };
const signed = keys.map(({ sign }) => sign(FORM, removal));

const knowledgeOf = (row: JsonObject): ExplainContext => ({
  directory: directoryWith({ validators }),
  nowMs: 0,
  around: { filters: {}, rows: [row] },
  ask: both,
  hasFlags: true,
});
const explained = (row: JsonObject, knowledge: Partial<ExplainContext> = {}) =>
  explainBundle(row, { ...knowledgeOf(row), ...knowledge });

/** The parts as lines: `label: text`, with addresses of keys by their number. */
async function lines(row: JsonObject, knowledge: Partial<ExplainContext> = {}) {
  return linesOf(await explained(row, knowledge));
}

const linesOf = ({ parts }: Explanation) =>
  parts.map(({ title, lines: said }) => [title, ...said.map(({ label, text }) => `${label}: ${text}`)]);

const inShort = (text: string): string => text.replace(/[0-9a-f]{64,}/g, 'HEX');

describe('Explanation of a signer bundle', () => {
  it('The explanation says whom a bundle removes, who signed and can submit it, what is sent and what is unknown', async () => {
    const row = bundle(signed);
    const { parts, json, copies } = await explained(row);
    expect(linesOf({ parts, json, copies }).map(part => part.map(inShort))).toMatchInlineSnapshot(`
      [
        [
          "",
          ": Remove signer 0x0A0A..0a0a   4 of 4 signatures known",
          ": Only 0x2B5A..D6cF (Validator 1) can submit it",
        ],
        [
          "What blockglass cannot check",
          ": whether the nonce was used; who the contract's signers are",
          ": the contract's threshold: set it with show --threshold N",
        ],
        [
          "Signed by (for remove_signer, no chain)",
          "Validator 0: 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf",
          "Validator 1: 0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
          "Validator 2: 0x6813Eb9362372EEF6200f3b1dbC3f819671cBA69",
          "Validator 3: 0x1efF47bc3a10a45D4B230B5d10E37751FE6AA718",
        ],
        [
          "Call remove_signer(old_signer, nonce, signatures)",
          "try it first: cast call 0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c 'remove_signer(address,uint256,bytes)' 0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a 42 0xHEX --from 0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
          "send it: cast send 0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c 'remove_signer(address,uint256,bytes)' 0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a 42 0xHEX --from 0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
          "contract: 0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c",
          "set in: parameter blockchains.ethereumConfig, chain 1",
          "old signer: 0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a",
          "nonce: 42",
          "calldata: 0xHEX",
        ],
      ]
    `);
    expect(JSON.parse(inShort(JSON.stringify(json)))).toMatchInlineSnapshot(`
      {
        "call": {
          "arguments": [
            "0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a",
            "42",
            "0xHEX",
          ],
          "calldata": "0xHEX",
          "command": "cast send 0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c 'remove_signer(address,uint256,bytes)' 0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a 42 0xHEX --from 0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
          "contract": "0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c",
          "contracts": [
            {
              "address": "0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c",
              "chainId": "1",
              "parameter": "blockchains.ethereumConfig",
            },
          ],
          "dryRun": "cast call 0x0C0c0C0c0c0c0c0c0c0c0C0C0C0c0c0C0c0c0c0c 'remove_signer(address,uint256,bytes)' 0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a 42 0xHEX --from 0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
          "function": "remove_signer(address,uint256,bytes)",
          "possible": [],
        },
        "chainId": null,
        "chainIds": [
          "1",
          "42161",
        ],
        "enough": null,
        "enoughForSigners": null,
        "form": "v1 remove_signer",
        "formsTied": [],
        "formsTried": [
          {
            "form": "v1 remove_signer",
            "known": 4,
          },
        ],
        "known": 4,
        "nonce": "42",
        "notKnown": [
          "whether the nonce was used",
          "who the contract's signers are",
          "the contract's threshold: set it with show --threshold N",
        ],
        "oldSigner": "0x0A0A0a0a0a0a0a0A0a0a0A0a0A0A0A0a0a0a0a0a",
        "oldSignerName": null,
        "problem": null,
        "signatureCount": 4,
        "signatures": [
          {
            "known": true,
            "name": "Validator 0",
            "problem": null,
            "signer": "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf",
          },
          {
            "known": true,
            "name": "Validator 1",
            "problem": null,
            "signer": "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
          },
          {
            "known": true,
            "name": "Validator 2",
            "problem": null,
            "signer": "0x6813Eb9362372EEF6200f3b1dbC3f819671cBA69",
          },
          {
            "known": true,
            "name": "Validator 3",
            "problem": null,
            "signer": "0x1efF47bc3a10a45D4B230B5d10E37751FE6AA718",
          },
        ],
        "signerCount": null,
        "submitter": "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF",
        "submitterName": "Validator 1",
        "threshold": null,
      }
    `);
    expect(copies.map(({ what }) => what)).toEqual(['calldata', 'cast command', 'cast dry run']);
  });

  it('The explanation links to the full addresses of what it shortens', async () => {
    const [head] = (await explained(bundle(signed))).parts;
    const addresses = [removal.oldSigner, removal.submitter];
    expect(head?.lines.map(({ copied }) => copied?.toLowerCase())).toEqual(addresses);
    expect(head?.lines.map(({ leadsTo }) => leadsTo?.id)).toEqual(addresses);
  });

  it.each(VECTORS.bundles.map(vector => [vector.scheme, vector.functionString, vector.nonce, vector] as const))(
    'The explanation of the bundle %s %s with nonce %s has its signers and its calldata',
    async (_scheme, _name, _nonce, vector) => {
      const row = {
        oldSigner: vector.oldSigner.toLowerCase(),
        submitter: vector.submitter.toLowerCase(),
        nonce: vector.nonce,
        signatures: vector.packedSignatures,
        ...(vector.chainId !== null && { chainId: vector.chainId }),
      };
      const signers = new Map(vector.validators.map(({ address }, index) => [address.toLowerCase(), `V${index}`]));
      const { json, copies } = await explained(row, { signers });
      expect(json).toMatchObject({ known: 5, signatureCount: 5, problem: null, formsTied: [] });
      expect(json.signatures).toEqual(
        vector.recoveredInPackedOrder.map(signer => ({
          signer,
          known: true,
          name: signers.get(signer.toLowerCase()),
          problem: null,
        })),
      );
      expect(copies[0]).toEqual({ what: 'calldata', text: vector.contractCall.calldata });
      expect(json.call).toMatchObject({ function: vector.contractCall.method, calldata: vector.contractCall.calldata });
    },
  );

  it('The explanation says for each damaged or foreign signature what it is', async () => {
    const [a = '', b = '', c = ''] = signed;
    const stranger = keyNumber(99);
    const row = bundle([a, a, flipped(b, 77), highTwin(c), stranger.sign(FORM, removal)]);
    const explanation = await explained(row);
    expect(explanation.json).toMatchObject({
      known: 1,
      form: 'v1 remove_signer',
      signatures: [
        { name: 'Validator 0', known: true, problem: null },
        { name: 'Validator 0', known: true, problem: 'duplicate' },
        { name: 'Validator 1', known: true, problem: 'flipped bit' },
        { name: 'Validator 2', known: true, problem: 'high s' },
        { name: null, known: false, problem: 'unknown signer' },
      ],
    });
    const [, , by = []] = linesOf(explanation);
    expect(by.map(line => line.replace(/0x[0-9a-fA-F]{40}/, 'ADDRESS'))).toEqual([
      'Signed by (for remove_signer, no chain)',
      'Validator 0: ADDRESS',
      'duplicate: ADDRESS (Validator 0): counts once',
      'flipped bit: ADDRESS (Validator 1), one bit damaged: it does not count',
      'high s: ADDRESS (Validator 2)',
      'unknown signer: ADDRESS',
    ]);
  });

  it('The explanation warns of a high s before anything is counted', async () => {
    const [a = '', b = ''] = signed;
    const warnings = async (signatures: readonly string[]) =>
      (await lines(bundle(signatures)))[0]?.filter(line => /high s/.test(line));
    expect(await warnings([a, b])).toEqual([]);
    expect(await warnings([a, highTwin(b)])).toEqual([
      ': Signature 2 has a high s: remove_signer refuses the whole call',
    ]);
    expect(await warnings([highTwin(a), b, ...signed.slice(2).map(highTwin)])).toEqual([
      ': Signatures 1, 3 and 4 have a high s: remove_signer refuses the whole call',
    ]);
    const [c = '', d = ''] = keys.map(({ sign }) => sign({ ...FORM, functionName: 'removeSigner' }, removal));
    for (const signatures of [
      [c, highTwin(d)],
      [c, highTwin(a)],
    ])
      expect(await warnings(signatures)).toEqual([
        ': Signature 2 has a high s: the contract may refuse the whole call',
      ]);
  });

  it('The explanation has no command that sends a call which would be refused', async () => {
    const [a = '', b = ''] = signed;
    const { parts, json, copies } = await explained(bundle([a, highTwin(b)]));
    const labels = parts.flatMap(({ lines }) => lines.map(({ label }) => label));
    expect(labels).toContain('try it first');
    expect(labels).not.toContain('send it');
    expect(json.call).toMatchObject({ command: null, dryRun: expect.stringMatching(/^cast call /) });
    expect(copies.map(({ what }) => what)).toEqual(['calldata', 'cast dry run']);
  });

  it('The explanation prefers the names and signers that the user gives to those of the chain', async () => {
    const mine = new Map([[keys[0]?.address ?? '', 'my own']]);
    const { json } = await explained(bundle(signed), { signers: mine, directory: directoryWith({}) });
    expect(json).toMatchObject({ known: 1, form: 'v1 remove_signer' });
    expect(json.signatures).toMatchObject([{ name: 'my own', known: true, problem: null }, {}, {}, {}]);
    const named = await explained(bundle(signed), { signers: mine });
    expect(named.json).toMatchObject({ known: 4, signatures: [{ name: 'my own' }, { name: 'Validator 1' }, {}, {}] });
  });
});

it('A signer name takes no room from its address, and its control characters do not reach the screen', async () => {
  const name = `\u001b[2J${'long name '.repeat(500)}`;
  const directory = directoryWith({ validators: keys.map(({ address }) => validatorOf(address, name)) });
  const { parts, json } = await explained(bundle(signed), { directory });
  for (const { label, text } of parts[2]?.lines ?? []) {
    expect(label).toMatch(/^\u241b\[2Jlong name long \u2026/);
    expect(label).toHaveLength(20);
    expect(text).toMatch(/^0x[0-9a-fA-F]{40}$/);
  }
  expect(parts[0]?.lines[1]?.text.length).toBeLessThan(60);
  expect(json.submitterName).toContain('long name long name long name long name');
});

it('Parameters of any number of chains show a few contracts, and the one of the chain signed for', async () => {
  const configs = Array.from({ length: 1000 }, (_, index) => ({
    chain_id: String(index),
    multisig_control_contract: { address: `0x${String(index).padStart(40, '0')}` },
  }));
  const ask = asking({ 'blockchains.evmBridgeConfigs': { configs } });
  const [, , call = []] = await lines(bundle([]), { ask });
  expect(call.length).toBeLessThan(30);
  const form = { scheme: 'v2', functionName: 'removeSigner', chainId: '777' } as const;
  const row = bundle(
    keys.map(({ sign }) => sign(form, removal)),
    { chainId: '777' },
  );
  expect((await explained(row, { ask })).json.call).toMatchObject({ contract: `0x${'777'.padStart(40, '0')}` });
  const cut = (await explained(bundle([keyNumber(9).sign()]), { ask })).json;
  expect(cut.notKnown).toContain('v2 forms were tried with only 8 of the chains that parameters name');
});

it('Any change of a signed bundle is explained without a false statement', async () => {
  const change = fc.record({
    oldSigner: fc.option(fc.constantFrom(keys[3]?.address ?? '', '0x', '0xzz'), { nil: undefined }),
    nonce: fc.option(fc.constantFrom('43', '-1', '', '1e3'), { nil: undefined }),
    bit: fc.nat(65 * 8 * 2 - 1),
    cut: fc.constantFrom(0, 1, 2, 130),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ oldSigner, nonce, bit, cut }) => {
      const both = flipped(signed.slice(0, 2).join(''), bit);
      const { json } = await explained(
        bundle([both.slice(0, both.length - cut)], {
          ...(oldSigner !== undefined && { oldSigner }),
          ...(nonce !== undefined && { nonce }),
        }),
      );
      const isAsSigned = oldSigner === undefined && nonce === undefined;
      expect(json.known).toBe(isAsSigned ? { 0: 1, 1: 0, 2: 0, 130: bit < 520 ? 0 : 1 }[cut] : 0);
    }),
    { numRuns: 40 },
  );
});

describe('Signature threshold of a bundle', () => {
  const said = async (signatures: readonly string[], knowledge: Partial<ExplainContext>) => {
    const { parts, json } = await explained(bundle(signatures), knowledge);
    return [json.enough, json.enoughForSigners, ...(parts[0]?.lines.slice(2).map(({ text }) => text) ?? [])];
  };

  it('The threshold result is not given without a threshold, and is then called unknown', async () => {
    expect(await said(signed, {})).toEqual([null, null]);
    expect((await lines(bundle(signed)))[1]).toContain(": the contract's threshold: set it with show --threshold N");
    // The explorer has no such flag.
    const { directory, nowMs, around, ask } = knowledgeOf(bundle(signed));
    const explanation = await explainBundle(bundle(signed), { directory, nowMs, around, ask });
    expect(linesOf(explanation)[1]?.at(-1)).toBe(": the contract's threshold");
  });

  it('The threshold result is given for any number of signers if it is not specified, and none is assumed', async () => {
    expect(await said(signed.slice(0, 3), { threshold: 500 })).toEqual([
      null,
      5,
      'Enough if the contract has 5 signers or fewer and all 3 are among them (it requires more than 50 %)',
    ]);
    expect(await said([], { threshold: 500 })).toEqual([null, null]);
    expect((await lines(bundle(signed), { threshold: 500 }))[1]).toContain(
      ': how many signers the contract has: set it with show --signer-count N',
    );
  });

  it.each([
    [
      3,
      4,
      500,
      true,
      'Enough signatures if the contract knows these signers: 3 of 4 signers (75 %); it requires more than 50 %',
    ],
    [2, 4, 500, false, 'Not enough signatures: 2 of 4 signers (50 %); the contract requires more than 50 %'],
    [2, 3, 666, false, 'Not enough signatures: 2 of 3 signers (66.6 %); the contract requires more than 66.6 %'],
  ])(
    'The threshold result is given for %i of %i signers at %i',
    async (count, signerCount, threshold, enough, text) => {
      expect(await said(signed.slice(0, count), { threshold, signerCount })).toEqual([enough, null, text]);
    },
  );

  it('The threshold result is not given for more signers than the contract has, nor for a part above the whole', async () => {
    expect(await said(signed.slice(0, 3), { threshold: 500, signerCount: 2 })).toEqual([
      null,
      null,
      'Cannot tell: 3 known signers, but --signer-count is 2.',
    ]);
    expect(await said(signed.slice(0, 3), { threshold: 1000 })).toEqual([
      null,
      0,
      'Not enough signatures: the contract requires more than 100 %',
    ]);
    expect((await said(signed.slice(0, 3), { threshold: 1000, signerCount: 3 }))[0]).toBe(false);
    expect((await said(signed.slice(0, 3), { threshold: 999 }))[1]).toBe(3);
  });

  it('The threshold result counts no unknown, duplicate or damaged signature', async () => {
    const [a = '', b = ''] = signed;
    const row = [a, a, flipped(b, 3), keyNumber(99).sign(FORM, removal)];
    expect(await said(row, { threshold: 500, signerCount: 2 })).toEqual([
      false,
      null,
      'Not enough signatures: 1 of 2 signers (50 %); the contract requires more than 50 %',
    ]);
  });

  it('The threshold result covers no more signatures than were checked', async () => {
    const [a = '', b = '', c = ''] = signed;
    const many = Array.from({ length: 100 }, () => a);
    const knowledge = { threshold: 500, signerCount: 3 };
    expect(await said(many, knowledge)).toEqual([
      false,
      null,
      expect.stringContaining('Not enough signatures: 1 of 3'),
    ]);
    for (const more of [[b, c], [highTwin(b)]]) {
      const { parts, json } = await explained(bundle([...many, ...more]), knowledge);
      expect([json.enough, json.enoughForSigners]).toEqual([null, null]);
      expect(json.notKnown).toContain(
        'who made the signatures after the first 100, and so whether the signatures are enough',
      );
      expect(parts[0]?.lines[0]?.text).toContain(`1 of the first 100 of ${100 + more.length} signatures known`);
      expect(JSON.stringify(parts)).not.toMatch(/[Nn]ot enough|Enough|Refused/);
    }
  });

  it('A high s fails the threshold when the contract refuses it; the newer one does so only before it has enough', async () => {
    const [a = '', b = ''] = signed;
    const refused = 'Refused: the contract rejects the whole call because a signature has a high s';
    expect(await said([a, highTwin(b)], { threshold: 500, signerCount: 1 })).toEqual([false, null, refused]);
    const form = { ...FORM, functionName: 'removeSigner' } as const;
    const [c = '', d = ''] = keys.map(({ sign }) => sign(form, removal));
    expect((await said([c, highTwin(d)], { threshold: 500, signerCount: 1 }))[0]).toBe(true);
    expect(await said([highTwin(d), c], { threshold: 500, signerCount: 1 })).toEqual([false, null, refused]);
  });
});

describe('Bundle with incomplete information', () => {
  it('A bundle without signatures has nothing to send', async () => {
    const { json, copies } = await explained(bundle([]));
    expect(copies).toEqual([]);
    expect(json).toMatchObject({ problem: 'no signatures', signatureCount: null, signatures: [], form: null });
    expect((await lines(bundle([])))[0]?.[1]).toMatch(/no signatures yet$/);
  });

  it.each([
    ['0xzz', 'not hex', /signatures are not hex digits$/],
    [`0x${'ab'.repeat(64)}`, 'bad length', /64 bytes are not whole signatures$/],
  ])('A bundle with the signatures %s has a problem: %s', async (signatures, problem, words) => {
    const row = bundle([], { signatures });
    expect((await explained(row)).json).toMatchObject({ problem, call: { calldata: null } });
    expect((await lines(row))[0]?.[1]).toMatch(words);
  });

  it.each([
    [{ nonce: 'x' }, 'the nonce is not a 256-bit number'],
    [{ oldSigner: null }, 'the old signer is not an Ethereum address'],
    [{ submitter: '0x12' }, 'the submitter is not an Ethereum address'],
  ])('A bundle with %j cannot have been signed by anyone', async (more, problem) => {
    const row = bundle(signed, more);
    expect((await explained(row)).json).toMatchObject({ problem, call: { calldata: null }, signatures: [] });
    expect((await lines(row))[0]).toContain(`: ${problem}: it cannot have been signed`);
  });

  it('A bundle whose signers are unknown says so, and gives the call of either contract by its name', async () => {
    const { json, copies } = await explained(bundle(signed), { directory: directoryWith({}) });
    expect(json).toMatchObject({ form: null, known: 0, call: { function: null, calldata: null } });
    expect(copies.map(({ what }) => what)).toEqual([
      'calldata of remove_signer',
      'cast command of remove_signer',
      'cast dry run of remove_signer',
      'calldata of removeSigner',
      'cast command of removeSigner',
      'cast dry run of removeSigner',
    ]);
    const unknown = await lines(bundle(signed), { directory: directoryWith({}) });
    expect(unknown[0]?.[1]).toMatch(/4 signatures, signers not known here$/);
    expect(unknown[2]).toContain(': no signers are known here, so the signatures cannot be matched');
    const strangers = directoryWith({ validators: [validatorOf(keyNumber(9).address, 'else')] });
    expect((await lines(bundle(signed), { directory: strangers }))[2]).toContain(
      ': no known signer in any form tried: v1 remove_signer, v1 removeSigner, v2 remove_signer on chain 1, ' +
        'v2 removeSigner on chain 1, v2 remove_signer on chain 42161, v2 removeSigner on chain 42161',
    );
  });

  it('A bundle signed for a chain is for the contract there, whether the record or the parameters give the chain', async () => {
    const form = { scheme: 'v2', functionName: 'removeSigner', chainId: '42161' } as const;
    const row = bundle(keys.map(({ sign }) => sign(form, removal)));
    for (const more of [{}, { chainId: '42161' }])
      expect((await explained({ ...row, ...more })).json).toMatchObject({
        known: 4,
        form: 'v2 removeSigner on chain 42161',
        call: { contract: expect.stringMatching(/^0x(?:0[dD]){20}$/), contracts: [{ chainId: '42161' }] },
      });
    const { json } = await explained(row, { ask: asking({}) });
    expect(json).toMatchObject({ known: 0, form: null, chainIds: [] });
    expect(json.notKnown).toContain('v2 forms were not tried: no chain id is known');
  });

  it('A bundle says which parameters the node lacks, and has a placeholder for the contract in its commands', async () => {
    const said = await lines(bundle(signed), { ask: asking({}) });
    expect(said[3]).toContain('contract: unknown: not set in the parameters of the node');
    expect(said[3]).toContain(': the node does not give blockchains.ethereumConfig');
    expect(said[3]?.find(line => line.startsWith('send it'))).toMatch(/^send it: cast send CONTRACT 'remove_signer\(/);
  });

  it('A bundle makes no claim about what was not read, on a rate-limited node or with unknown validators', async () => {
    const busy: ExplainContext['ask'] = async (_, onFailure) => {
      onFailure?.(new RateLimitedError('429', { url: '', retryAtMs: 1 }));
      return undefined;
    };
    const said = await lines(bundle(signed), { ask: busy, directory: directoryWith({}) });
    expect(said[0]?.[1]).toContain('4 signatures, signers not known here');
    expect(said[3]).toContain('contract: not read');
    expect(said[3]).toContain(': blockchains.ethereumConfig was not read: too many requests, try again later');
    expect(said.flat().join()).not.toContain('the node does not give');
  });

  it('A bundle takes the contract from the parameter list of a node that serves no single parameters', async () => {
    const listed: ExplainContext['ask'] = async ({ path }, onFailure) => {
      if (path === 'api/v2/network/parameters')
        return {
          networkParameters: {
            edges: [{ node: { key: 'blockchains.ethereumConfig', value: JSON.stringify(ETHEREUM) }, cursor: '' }],
            pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: '', endCursor: '' },
          },
        };
      onFailure?.(new RefusedError(404, { message: 'Not Found', details: [] }, { url: '', hint: '' }));
      return undefined;
    };
    const said = await lines(bundle(signed), { ask: listed });
    expect(said[3]).toContain('set in: parameter blockchains.ethereumConfig, chain 1');
  });

  it('A bundle with more signatures than are checked says so', async () => {
    const row = bundle(Array.from({ length: 101 }, () => signed[0] ?? ''));
    expect((await lines(row))[2]).toContain(': the first 100 of 101 signatures were checked');
  });

  it('A bundle says on its first lines what no node knows', async () => {
    for (const row of [bundle([]), bundle(signed), bundle([], { signatures: 'x' })])
      expect((await lines(row))[1]?.slice(0, 2)).toEqual([
        'What blockglass cannot check',
        ": whether the nonce was used; who the contract's signers are",
      ]);
  });

  it('A bundle is never called valid', async () => {
    const texts = JSON.stringify(await explained(bundle(signed), { threshold: 500, signerCount: 4 }));
    expect(texts).not.toMatch(/\bvalid\b/i);
  });
});
