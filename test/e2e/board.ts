// The board of tasks as a person uses it: everything is found by its role and name.
import type { Locator, Page } from 'playwright-core';

export type NewTask = { readonly title: string; readonly summary?: string; readonly brand?: string };

export function boardOf(page: Page) {
  const link = (within: Page | Locator, title: string) => within.getByRole('link', { name: title, exact: true });
  const card = (title: string) => page.getByRole('article').filter({ has: link(page, title) });
  return {
    card,
    /** The card, once it stands in the column of that name. */
    cardIn: (column: string, title: string) => link(page.getByRole('list', { name: column, exact: true }), title),

    async open(query = ''): Promise<void> {
      await page.goto(`/top-5/tasks${query}`);
      await page.getByRole('button', { name: 'New task' }).first().waitFor();
    },

    async create({ title, summary = '', brand }: NewTask): Promise<void> {
      await page.getByRole('button', { name: 'New task' }).first().click();
      const form = page.getByRole('dialog', { name: 'New task' });
      await form.getByLabel('Title').fill(title);
      await form.getByLabel('Summary').fill(summary);
      if (brand) {
        await form.getByRole('combobox', { name: 'Brand' }).click();
        await page.getByRole('option', { name: brand }).click();
      }
      await form.getByRole('button', { name: 'Send for approval' }).click();
      await form.waitFor({ state: 'detached' });
    },

    /** By the hand: pressed, moved in steps, let go over the column. */
    async drag(title: string, column: string): Promise<void> {
      const head = page.getByRole('heading', { level: 2, name: new RegExp(`^${column}`) });
      await card(title).hover();
      await page.mouse.down();
      const { x, y, width, height } = (await head.boundingBox())!;
      await page.mouse.move(x + width / 2, y + height + 40, { steps: 12 });
      await page.mouse.move(x + width / 2, y + height + 44, { steps: 2 });
      await page.mouse.up();
    },

    async openTask(title: string): Promise<Locator> {
      await link(page, title).click();
      return taskPanel(page, title);
    },
  };
}

/** The panel beside the board, once it shows this task. */
export async function taskPanel(page: Page, title: string): Promise<Locator> {
  const panel = page.getByRole('dialog', { name: 'Task' });
  await panel.getByRole('heading', { level: 2, name: title }).waitFor();
  return panel;
}

/** The inbox of an approver. */
export function inboxOf(page: Page) {
  const row = (title: string) => page.getByRole('button', { name: title });
  return {
    row,
    async open(): Promise<void> {
      await page.goto('/top-5/approvals');
      await page.getByRole('radiogroup', { name: 'Tasks' }).waitFor();
    },
    async chooseTab(name: 'To approve' | 'To sign off' | 'Done'): Promise<void> {
      await page.getByRole('radiogroup', { name: 'Tasks' }).getByText(name).click();
    },
    /** Chooses a task and presses the button of the decision; a reason goes where it is asked for. */
    async decide(title: string, verb: 'Approve' | 'Deny' | 'Sign off' | 'Send back', reason?: string): Promise<void> {
      await row(title).first().click();
      const detail = page.getByRole('article', { name: title });
      await detail.getByRole('button', { name: verb, exact: true }).click();
      if (reason === undefined) return;
      await detail.getByLabel(/^What should/).fill(reason);
      await detail.getByRole('button', { name: verb, exact: true }).click();
    },
  };
}

/** What the page says happened. */
export const message = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Messages' }).getByText(text);

/** Presses Undo in the message with this text: an older one may show beside it. */
export const undo = (page: Page, text: string | RegExp): Promise<void> =>
  message(page, text).locator('..').getByRole('button', { name: 'Undo' }).click();
