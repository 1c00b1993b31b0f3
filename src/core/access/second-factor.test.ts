import { describe, expect, it } from 'vitest';
import { readInput } from '../base/inputs.ts';
import { isRefusal } from '../base/refusals.ts';
import { passkeySignInInput, secondStepInput } from './factor-inputs.ts';
import {
  codeRefusal,
  isRunningLow,
  judgeCode,
  readCode,
  readRecoveryCode,
  recoveryCode,
  stepAt,
} from './one-time-codes.ts';
import {
  defaultPolicy,
  isEnrolled,
  levelAfterPassword,
  needsSecondFactor,
  opensProduct,
  passkeySite,
  passkeysUnavailable,
  type SecondFactorPolicy,
  secondStepsFor,
} from './second-factor.ts';

const admin = { role: 'admin', otherAdmin: false };
const adminOfTwo = { role: 'admin', otherAdmin: true };
const staff = { role: 'Staff', otherAdmin: false };

describe('the policy', () => {
  it.each<[SecondFactorPolicy, boolean, boolean, boolean]>([
    // policy, the only admin, one of two admins, staff
    ['nobody', false, false, false],
    ['severalAdmins', false, true, false],
    ['admins', true, true, false],
    ['everyone', true, true, true],
  ])('%s asks the right people', (policy, only, ofTwo, others) => {
    expect([admin, adminOfTwo, staff].map((person) => needsSecondFactor(policy, person))).toEqual([
      only,
      ofTwo,
      others,
    ]);
    expect(needsSecondFactor(policy, { role: null, otherAdmin: false })).toBe(others);
  });

  it.each([
    [false, false, 'nobody'],
    [false, true, 'nobody'],
    [true, false, 'severalAdmins'],
    [true, true, 'admins'],
  ] as const)('is by default in production %s with mail %s: %s', (production, mail, policy) => {
    expect(defaultPolicy({ production, mail })).toBe(policy);
  });
});

describe('a session', () => {
  const methods = [null, 'password', 'link', 'carrier pigeon'] as const;
  it.each(methods)('of one factor (%s) opens nothing while the policy asks for two', (method) => {
    expect(opensProduct({ level: 'full', method }, 'admins', admin)).toBe(false);
    expect(opensProduct({ level: 'full', method }, 'admins', staff)).toBe(true);
  });
  it.each(['needsSecondFactor', 'needsEnrollment', 'somethingNew'])(
    'that %s opens nothing, whatever the policy',
    (level) => {
      for (const policy of ['nobody', 'admins', 'everyone'] as const)
        expect(opensProduct({ level, method: 'password+totp' }, policy, staff)).toBe(false);
    },
  );
  it.each(['passkey', 'password+passkey', 'password+totp', 'password+recovery', 'singleSignOn'])(
    'by %s opens the product under every policy',
    (method) => {
      expect(opensProduct({ level: 'full', method }, 'everyone', admin)).toBe(true);
    },
  );
});

describe('a right password', () => {
  it('opens the product alone only where nothing else is set up or required', () => {
    expect(levelAfterPassword({ enrolled: true, required: false })).toBe('needsSecondFactor');
    expect(levelAfterPassword({ enrolled: true, required: true })).toBe('needsSecondFactor');
    expect(levelAfterPassword({ enrolled: false, required: true })).toBe('needsEnrollment');
    expect(levelAfterPassword({ enrolled: false, required: false })).toBe('full');
  });
  it('leads to the ways a person has, the safest first', () => {
    expect(secondStepsFor({ passkeys: 1, authenticator: true, recoveryCodesLeft: 2 })).toEqual([
      'passkey',
      'code',
      'recoveryCode',
    ]);
    expect(secondStepsFor({ passkeys: 0, authenticator: true, recoveryCodesLeft: 0 })).toEqual(['code']);
    expect(isEnrolled({ passkeys: 0, authenticator: false, recoveryCodesLeft: 10 })).toBe(false);
  });
});

describe('passkeys', () => {
  it.each([
    ['https://staff.example.com', 'http://10.0.0.1:3000', 'staff.example.com', 'https://staff.example.com'],
    ['https://staff.example.com:8443/', undefined, 'staff.example.com', 'https://staff.example.com:8443'],
    [undefined, 'http://localhost:3000', 'localhost', 'http://localhost:3000'],
    ['http://localhost:3000', 'http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
  ])('of %s opened at %s belong to %s', (publicUrl, opened, id, origin) => {
    expect(passkeySite(publicUrl, opened)).toEqual({ id, origin });
  });
  it.each([
    [undefined, 'http://127.0.0.1:3000', 'localhost'],
    [undefined, 'http://[::1]:3000', 'localhost'],
    [undefined, 'http://staff.example.com', 'PUBLIC_URL'],
    [undefined, 'https://evil.example', 'PUBLIC_URL'],
    ['http://staff.example.com', 'http://staff.example.com', 'HTTPS'],
    ['https://192.0.2.1', 'https://192.0.2.1', 'host name'],
    [undefined, 'http://', 'PUBLIC_URL'],
    [undefined, undefined, 'PUBLIC_URL'],
  ])('are not offered at %s opened at %s, and the reason names the way out', (publicUrl, opened, word) => {
    expect(passkeySite(publicUrl, opened)).toBeNull();
    expect(passkeysUnavailable(publicUrl, opened)).toContain(word);
  });
});

const now = Temporal.Instant.from('2026-11-18T12:00:07Z');
const current = stepAt(now);
const codeOf = (distance: number) => (step: number) => step === current + distance;

describe('a code of an authenticator app', () => {
  it.each([-1, 0, 1])('of %i steps from now is good', (distance) => {
    expect(judgeCode(codeOf(distance), now, null)).toEqual({ kind: 'right', step: current + distance });
  });
  it.each([
    [0, 0],
    [-1, 0],
    [-1, -1],
    [1, 1],
    [-12, 0],
  ])('of step %i is refused once step %i was used', (distance, last) => {
    expect(judgeCode(codeOf(distance), now, current + last)).toEqual({ kind: 'used' });
  });
  it.each([
    [-10, '5 minutes behind'],
    [10, '5 minutes ahead'],
    [2, '1 minute ahead'],
    [-20, '10 minutes behind'],
  ])('of %i steps from now is refused with the reason: the clock is %s', (distance, words) => {
    const judgment = judgeCode(codeOf(distance), now, null);
    expect(judgment.kind).toBe('clock');
    expect(codeRefusal(judgment as never).message).toContain(words);
  });
  it('of no step around is wrong', () => {
    expect(judgeCode(codeOf(21), now, null)).toEqual({ kind: 'wrong' });
    expect(judgeCode(() => false, now, null)).toEqual({ kind: 'wrong' });
  });
  it.each([
    ['123456', '123456'],
    [' 123 456', '123456'],
    ['123-456', '123456'],
    ['12345', null],
    ['1234567', null],
    ['12345a', null],
    ['', null],
  ])('typed as %j is read as %j', (typed, code) => {
    expect(readCode(typed)).toBe(code);
  });
});

describe('a recovery code', () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, index) => index * 37);
  it('is read however it is typed', () => {
    const code = recoveryCode(bytes);
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(readRecoveryCode(code.toLowerCase().replaceAll('-', ' '))).toBe(code);
    expect(readRecoveryCode(code.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(code);
    expect(readRecoveryCode(code.slice(1))).toBeNull();
    expect(readRecoveryCode(`${code}0`)).toBeNull();
    expect(readRecoveryCode('U'.repeat(16))).toBeNull();
  });
  it('runs low at three', () => {
    expect([4, 3, 0].map(isRunningLow)).toEqual([false, true, true]);
  });
});

describe('what comes in', () => {
  const assertion = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
    clientExtensionResults: { anything: 1 },
    authenticatorAttachment: 'platform',
  };
  it('of a second step is one of three', () => {
    for (const step of [{ code: '123456' }, { recoveryCode: 'x' }, { passkey: assertion }])
      expect(isRefusal(readInput(secondStepInput, step))).toBe(false);
    for (const step of [{}, { code: '1', recoveryCode: '2' }, { password: 'x' }])
      expect(isRefusal(readInput(secondStepInput, step))).toBe(true);
  });
  it.each([
    { ...assertion, id: 'not base64!' },
    { ...assertion, id: 'A'.repeat(2_000) },
    { ...assertion, type: 'password' },
    { ...assertion, response: { ...assertion.response, signature: 'A'.repeat(9_000) } },
    { ...assertion, response: { ...assertion.response, clientDataJSON: 7 } },
  ])('of a passkey is bounded %#', (passkey) => {
    expect(isRefusal(readInput(passkeySignInInput, { passkey }))).toBe(true);
  });
});
