// One browser for the whole run: every visitor of every file gets a separate profile.
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumFlags } from '../../scripts/find-chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: chromiumFlags,
  });
  project.provide('browserUrl', browser.wsEndpoint());
  return () => browser.close();
}
