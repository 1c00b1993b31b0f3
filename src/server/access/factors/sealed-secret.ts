// Encrypts the secrets of authenticator apps with a key derived from LINK_SECRET and bound to their person. A
// copy of the database isn't enough to make codes.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Services } from '#server/platform/context.ts';

export type Sealing = Pick<Services['config'], 'linkSecret' | 'linkSecretAlso'>;

/** The version of the layout below. */
const version = 1;
const sizes = { keyId: 4, nonce: 12, tag: 16 } as const;
const textAt = 1 + sizes.keyId + sizes.nonce + sizes.tag;

type Key = { readonly id: Buffer; readonly key: Buffer };

const derived = (secret: string, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `authenticator ${version} ${purpose}`, length));

const keyOf = (secret: string): Key => ({ id: derived(secret, 'id', sizes.keyId), key: derived(secret, 'key', 32) });

/** version, key id, nonce, tag, ciphertext */
export function seal({ linkSecret }: Pick<Sealing, 'linkSecret'>, personId: string, secret: Uint8Array): Buffer {
  const { id, key } = keyOf(linkSecret);
  const nonce = randomBytes(sizes.nonce);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`person ${personId}`));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([Buffer.of(version), id, nonce, cipher.getAuthTag(), text]);
}

export type Opened = { readonly secret: Buffer /** Encrypted with LINK_SECRET itself. */; readonly isCurrent: boolean };

/** Null if neither LINK_SECRET nor LINK_SECRET_ALSO decrypts it. */
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
