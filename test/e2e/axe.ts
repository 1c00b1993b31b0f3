// What axe-core finds on a page. Its source is evaluated from outside, so the page keeps its content security
// policy.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everything: RunOptions = {};
const colours: RunOptions = { runOnly: ['color-contrast'] };

/** One line a finding, on the page or on the dialog that covers it: the rule, the element, what is wrong. */
export async function findings(page: Page, part: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  await untilStill(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const options = part === 'colours' ? colours : everything;
  const { violations } = await page.evaluate(
    (chosen) => {
      const { axe } = globalThis as unknown as {
        axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };
      };
      // The page behind a dialog can't be reached, and it takes a second or more to look through.
      const isCovered = document.querySelector('[aria-modal="true"]') !== null;
      return axe.run(isCovered ? { exclude: '#root' } : document, chosen);
    },
    { ...options, resultTypes: ['violations' as const] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
    ),
  );
}

/** Colours that are on their way from one theme to the other have no contrast of their own yet. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    // Those driven by scrolling end only where it does.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    const finite = timed.filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
}
