import { describe, expect, it } from 'vitest';
import { passwordRefusal } from './passwords.ts';

const owner = { email: 'cat.crew@example.test', firstName: 'Catherine', lastName: 'Crewe' };
const taken = (password: string) => passwordRefusal(password, owner) === null;

describe('a password is', () => {
  it.each([
    ['fourteen signs', 'kettle rover x', false],
    ['fifteen signs', 'kettle rover xy', true],
    ['fifteen signs that are more units', '🐙🐘🦊🐢🐳🦉🐝🐞🦋🐌🐛🐜🦗🦂🐡', true],
    ['words with blanks, of any script', 'правильная лошадь батарея', true],
    ['the same sign all the time', 'aaaaaaaaaaaaaaaaaaaa', false],
    ['a row of digits', '12345678901234567890', false],
    ['rows of letters down and up', 'zyxwvutsrqponmlkjihgfedcba', false],
    ['the word itself', 'passwordpassword', false],
    ['the word itself with ornaments', 'Password-Password1!', false],
    ['the name of the product', 'Staff Dashboard 1', false],
    ['rows of the keyboard', 'qwertyuiopasdfghjkl', false],
    ['who it is for', 'Catherine.Crewe@example.test', false],
    ['who it is for, and more', 'Catherine likes mountain lakes', true],
    ['a well-known phrase', 'correct horse battery staple', false],
    ['a well-known phrase with ornaments', 'Correct-Horse-Battery-Staple 1!', false],
    ['a walk over the keyboard', '1q2w3e4r5t6y7u8', false],
    ['a well-known phrase, and enough besides', 'correct horse battery staple, 7 kites', true],
    ['NUL', 'kettle rover xyz\0', false],
    ['half of a pair', 'kettle rover xyz\uD800', false],
    ['beyond the limit', 'kettle rover '.repeat(100), false],
  ])('%s', (_what, password, is) => {
    expect(taken(password)).toBe(is);
  });
  it('refused if it is the one it replaces', () => {
    const refusal = passwordRefusal('kettle rover xyz', owner, 'kettle rover xyz');
    expect(refusal).toMatchObject({ field: 'password', message: expect.stringContaining('current password') });
    expect(passwordRefusal('kettle rover xyz', owner, 'kettle rover abc')).toBeNull();
  });
  it('refused in words that say what to do, under its field', () => {
    expect(passwordRefusal('short', owner)).toMatchObject({ code: 'BAD_INPUT', field: 'password' });
    expect(passwordRefusal('short', owner)?.message).toContain('15 characters');
  });
});
