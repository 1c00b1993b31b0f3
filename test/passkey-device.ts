// An authenticator in software: makes passkeys and signs with them as a real one does, and can be told to
// misbehave.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Options = { readonly challenge: string; readonly rpId?: string; readonly rp?: { readonly id?: string } };

/** What a browser or a device would never do by itself. */
export type Misbehavior = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** The counter goes on from here. */
  readonly counter?: number;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly userHandle?: string;
  /** Signs with a key that isn't the passkey's. */
  readonly foreignKey?: boolean;
};

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export class PasskeyDevice {
  readonly id = randomBytes(16);
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle: string | undefined;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = keyPair();
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Answers `navigator.credentials.create`. */
  register(options: Options & { readonly user: { readonly id: string } }, wrong: Misbehavior = {}): object {
    this.#userHandle = options.user.id;
    const { x, y } = this.#publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x as string, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y as string, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, isoCBOR.encode(key)]);
    const authData = this.#authenticatorData(wrong.rpId ?? options.rp?.id ?? '', 0x40, wrong, credential);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options, wrong).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers `navigator.credentials.get`. */
  assert(options: Options, wrong: Misbehavior = {}): object {
    this.counter = wrong.counter ?? this.counter + 1;
    const clientData = this.#clientData('webauthn.get', options, wrong);
    const authData = this.#authenticatorData(wrong.rpId ?? options.rpId ?? '', 0, wrong);
    const key = wrong.foreignKey ? keyPair().privateKey : this.#privateKey;
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), key);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: wrong.userHandle ?? this.#userHandle,
    });
  }

  #answer(response: object): object {
    const id = this.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    };
  }

  #clientData(type: string, { challenge }: Options, wrong: Misbehavior): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(rpId: string, more: number, wrong: Misbehavior, credential = Buffer.alloc(0)): Buffer {
    const { userVerified = true, userPresent = true } = wrong;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | more;
    return Buffer.concat([sha256(rpId), Buffer.of(flags), counter, credential]);
  }
}
