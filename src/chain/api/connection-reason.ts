import { hideLogin } from './login.ts';

/** OpenSSL's reason stands in the middle of its message: `...:SSL routines:function:wrong version number:...`. */
const REASON_OF_TLS = /:SSL routines:[^:]*:([^:]+)/;

/** The code of an error of a connection. A failed handshake has the code EPROTO, or one that is made from the reason. */
export function connectionCode(cause: Error): string {
  const [, reason] = REASON_OF_TLS.exec(cause.message) ?? [];
  if (reason !== undefined) return `ERR_SSL_${reason.toUpperCase().replace(/\W+/g, '_')}`;
  return 'code' in cause ? String(cause.code) : '';
}

export function connectionReason({ message }: Error): string {
  const [, reason] = REASON_OF_TLS.exec(message) ?? [];
  if (reason !== undefined) return `TLS: ${reason}`;
  // Node adds an advice for those who start it by its own command line.
  return hideLogin(message).replace(/; if the root CA is installed locally.*$/, '');
}
