// Titles and summaries of the demo company's tasks, all distinct.
import { type Category, categories, type Scope } from '#core/access/brands.ts';
import type { Random } from './random.ts';
import { taskPatterns } from './task-patterns.ts';
import { brandsOfTeam, doneWhen, words } from './task-words.ts';

export type TaskText = { readonly title: string; readonly summary: string; readonly category: Category };

/** Draws task texts; `month` is the name of the task's month. */
export function taskTexts(random: Random): (team: Scope, month: string) => TaskText {
  const used = new Set<string>();
  return (team, month) => {
    for (;;) {
      const text = drawText(random, team, month);
      if (used.has(text.title)) continue;
      used.add(text.title);
      return text;
    }
  };
}

function drawText(random: Random, team: Scope, month: string): TaskText {
  const pattern = random.pick(taskPatterns[team]);
  const drawn = random.pick(brandsOfTeam[team]);
  const named = `${pattern.title} ${pattern.summary}`.includes('{brand}');
  const category = named && drawn === 'All Brands' ? random.pick(categories.slice(1)) : drawn;
  const chosen: Record<string, string> = { brand: category, month, n: String(random.whole(3, 48)) };
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, slot: string) => (chosen[slot] ??= random.pick(words[slot]!)));
  const title = fill(pattern.title);
  const sentences = [fill(pattern.summary), ...(random.chance(0.45) ? [random.pick(doneWhen)] : [])];
  return { title, summary: sentences.join(random.chance(0.3) ? '\n\n' : ' '), category };
}
