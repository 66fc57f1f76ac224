import { baseAddress } from './request.ts';

/** An address as it may be shown: *** stands where its login does. What is no address is not shown at all. */
export function addressWithoutLogin(typed: string): string {
  try {
    const { protocol, host, pathname, username, password } = baseAddress(typed);
    const login = username === '' && password === '' ? '' : '***@';
    return `${protocol}//${login}${host}${pathname.replace(/\/$/, '')}`;
  } catch {
    return 'no address';
  }
}

/** Whether it is an address wherever a node may be named, and no name; what has a login is one. */
export const isAddress = (text: string): boolean => /[:/.@]/.test(text) || text === 'localhost';
