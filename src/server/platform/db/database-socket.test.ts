import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseListening } from './database-socket.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the address of the embedded database', () => {
  it.each([
    ['a socket', false],
    ['TCP', true],
  ])('is used without TLS over %s, although the shell asks for it', async (_, overTcp) => {
    vi.stubEnv('PGSSLMODE', 'require');
    const folder = mkdtempSync(join(tmpdir(), 'listening-'));
    const listening = await chooseListening(folder, undefined, overTcp);
    const { ssl } = new pg.Client({ connectionString: listening.urlFor('name', 'password') });
    listening.close();
    rmSync(folder, { recursive: true });
    expect(ssl).toBe(false);
  });
});
