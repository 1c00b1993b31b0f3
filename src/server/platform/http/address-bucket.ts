// What counts as one IP address, for limits and turns.
import { isIPv6 } from 'node:net';

/**
 * One bucket per IPv6 network, whose owner has 2^64 addresses. The address is undefined once the caller has
 * hung up, and on a Unix socket.
 */
export function addressBucket(address: string | undefined): string {
  if (address === undefined) return '';
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace(/^::ffff:/, '');
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  const missing = address.includes('::') ? 8 - groups.length - tail.split(':').filter(Boolean).length : 0;
  return [...groups.filter(Boolean), ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')]
    .slice(0, 4)
    .join(':');
}
