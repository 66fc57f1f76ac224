/** The hash that Ethereum uses, of bytes. */
export type Keccak = (bytes: Uint8Array) => Uint8Array;

/** Loaded on first use, since nothing before the first page needs it. */
export const loadKeccak = async (): Promise<Keccak> => (await import('@noble/hashes/sha3.js')).keccak_256;

export const bytesToHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
