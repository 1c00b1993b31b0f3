import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { confirmedChanges, confirmWords, mutationName, ownChanges } from './confirm-words.ts';

/** These ask once a task is half full. */
const asksWhenOften = ['updateTask', 'addNoteToTask', 'attachment'];

describe('what “Confirm it’s you” says', () => {
  it('is about your own account only where that is what changes', () => {
    const own = 'This changes who can get into your account.';
    for (const name of [undefined, ...ownChanges]) expect(confirmWords(name)).toBe(own);
    for (const name of [
      'createRole',
      'updateMeeting',
      'setUserDisabled',
      'importPeople',
      ...asksWhenOften,
      'constructor',
    ])
      expect(confirmWords(name)).not.toBe(own);
  });

  it('names the role that is given', () => {
    expect(confirmWords('createUser', 'admin')).toBe('You’re creating an account with the role admin.');
    expect(confirmWords('updateUser', 'admin')).toBe('You’re giving someone the role admin.');
    expect(confirmWords('createUser')).toBe('You’re creating an account.');
    expect(confirmWords('askForRole', 'admin')).toBe('You’re requesting a role for someone.');
  });

  it('names mutations that the API has', () => {
    const schema = readFileSync('schema.graphql', 'utf8');
    for (const name of [...Object.keys(confirmedChanges), ...ownChanges])
      expect(schema).toMatch(new RegExp(`^  ${name}[(:]`, 'm'));
  });

  it('reads the name of a mutation, and none of a query', () => {
    expect(mutationName('mutation Make($name: String!) {\n  createRole(name: $name) { id }\n}')).toBe('createRole');
    expect(mutationName('query Roles { roles { name } }')).toBeUndefined();
  });
});
