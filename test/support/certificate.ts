import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate, its key, and what signs further ones with it. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

interface Wanted {
  readonly name: string;
  /** Host names and IPv4 addresses. */
  readonly hosts?: readonly string[];
  /** Who signs it; without one it is self-signed. */
  readonly issuer?: Certificate;
  readonly isAuthority?: boolean;
  /** Days from now. */
  readonly days?: readonly [from: number, to: number];
}

/** Makes an X.509 certificate, as no module of Node does and openssl may not be installed. */
export function makeCertificate({
  name,
  hosts = [],
  issuer,
  isAuthority = false,
  days = [-1, 30],
}: Wanted): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    ...(isAuthority ? [extension([0x55, 0x1d, 0x13], sequence(der(0x01, Buffer.of(0xff))))] : []),
    ...(hosts.length > 0 ? [extension([0x55, 0x1d, 0x11], sequence(...hosts.map(hostName)))] : []),
  ];
  const body = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ALGORITHM,
    distinguishedName(issuer?.name ?? name),
    sequence(...days.map(time)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const whole = sequence(body, ALGORITHM, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), name, privateKey };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const identifier = (bytes: readonly number[]): Buffer => der(0x06, Buffer.of(...bytes));

/** ECDSA with SHA-256. */
const ALGORITHM = sequence(identifier([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));

const distinguishedName = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier([0x55, 0x04, 0x03]), der(0x0c, Buffer.from(name)))));

const extension = (id: readonly number[], value: Buffer): Buffer => sequence(identifier(id), der(0x04, value));

const hostName = (host: string): Buffer =>
  isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

function time(days: number): Buffer {
  const digits = new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(digits));
}
