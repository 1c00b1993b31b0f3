// Secrets of authenticator apps at rest: encrypted with a key made from LINK_SECRET and bound to their person. Whoever reads a
// copy of the database can't make codes with it.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Services } from '#server/platform/context.ts';

export type Sealing = Pick<Services['config'], 'linkSecret' | 'linkSecretAlso'>;

/** The layout below. Another one gets another number. */
const version = 1;
const sizes = { keyId: 4, nonce: 12, tag: 16 } as const;
const textAt = 1 + sizes.keyId + sizes.nonce + sizes.tag;

type Key = { readonly id: Buffer; readonly key: Buffer };

const derived = (secret: string, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `authenticator ${version} ${purpose}`, length));

const keyOf = (secret: string): Key => ({ id: derived(secret, 'id', sizes.keyId), key: derived(secret, 'key', 32) });

/** version, id of the key, nonce, tag, ciphertext */
export function seal({ linkSecret }: Pick<Sealing, 'linkSecret'>, personId: string, secret: Uint8Array): Buffer {
  const { id, key } = keyOf(linkSecret);
  const nonce = randomBytes(sizes.nonce);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`person ${personId}`));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), text]);
}

export type Opened = { readonly secret: Buffer /** Sealed with LINK_SECRET itself. */; readonly isCurrent: boolean };

/** Null where neither LINK_SECRET nor LINK_SECRET_ALSO opens it. */
export function open({ linkSecret, linkSecretAlso }: Sealing, personId: string, sealed: Buffer): Opened | null {
  if (sealed[0] !== version || sealed.length <= textAt) return null;
  const secrets = linkSecretAlso === undefined ? [linkSecret] : [linkSecret, linkSecretAlso];
  for (const [index, secret] of secrets.entries()) {
    const { id, key } = keyOf(secret);
    if (!id.equals(sealed.subarray(1, 1 + sizes.keyId))) continue;
    const nonce = sealed.subarray(1 + sizes.keyId, 1 + sizes.keyId + sizes.nonce);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      .setAAD(Buffer.from(`person ${personId}`))
      .setAuthTag(sealed.subarray(textAt - sizes.tag, textAt));
    try {
      return {
        secret: Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]),
        isCurrent: index === 0,
      };
    } catch {
      return null;
    }
  }
  return null;
}
