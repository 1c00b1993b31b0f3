// Finds conversations that count as open although their status may mean ended. Numbers know only a few words.
import { countWords, listWords } from '#core/base/formats.ts';
import { endedStatuses } from '#core/numbers/conversation-metrics.ts';
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import type { NumberRow } from '../number-row.ts';
import type { CountedDoubt } from './mapping-doubts.ts';
import { isOpenStatus, plainStatus } from './row-warnings.ts';

/** Words that may mean ended. Numbers know only `endedStatuses`, spelled exactly: not “Closed.” */
const endWords = new Set(
  `
    ${endedStatuses.join(' ')}
    cancel close resolve solve complete finish finished end ended rejected declined duplicate wontfix merged
    archived withdrawn expired fulfilled spam auto-closed auto-close auto-resolved auto-solved
    gelöst geschlossen erledigt beendet abgeschlossen storniert abgelehnt
    résolu résolue fermé fermée clos clôturé terminé annulé rejeté
    resuelto cerrado finalizado terminado cancelado completado rechazado
    resolvido fechado concluído encerrado rejeitado
    opgelost gesloten afgerond afgehandeld geannuleerd afgewezen
    risolto chiuso completato annullato rifiutato
  `
    .trim()
    .split(/\s+/)
    .map(plainStatus),
);
/** `Closed (won)`. */
const endAndMore = /^(closed|resolved|solved|completed|cancell?ed)\P{L}+\p{L}/iu;
const isEnd = (status: string): boolean => endWords.has(plainStatus(status)) || endAndMore.test(status);

/** More are only counted. */
const mostStatuses = 1_000;
const statusesNamed = 8;
/** The share of the open rows. */
const fewestUnknown = 0.5;

/** Add the rows of a file, or its first ones. Of other datasets than conversations, it says nothing. */
export class EndDoubts {
  readonly #isAbout: boolean;
  readonly #title = fieldTitle('conversations', 'status');
  /** Statuses of open rows that aren't known to mean “open”, with their counts. */
  readonly #unknown = new Map<string, number>();
  #unknownRows = 0;
  #open = 0;
  #ended = 0;

  constructor(dataset: DatasetKey) {
    this.#isAbout = dataset === 'conversations';
  }

  add({ values: { status, resolved_at, closed_at } }: Pick<NumberRow, 'values'>): void {
    const text = typeof status === 'string' ? status : '';
    const isEnded = (resolved_at ?? closed_at ?? null) !== null || known.has(text.toLowerCase());
    if (!this.#isAbout || isEnded) this.#ended += 1;
    else {
      this.#open += 1;
      if (text === '' || isOpenStatus(text)) return;
      this.#unknownRows += 1;
      const count = this.#unknown.get(text);
      if (count !== undefined || this.#unknown.size < mostStatuses) this.#unknown.set(text, (count ?? 0) + 1);
    }
  }

  get warnings(): CountedDoubt[] {
    const ends = [...this.#unknown].filter(([status]) => isEnd(status));
    // An export of new tickets has a few other words for open ones.
    const isAllOpen = this.#ended === 0 && this.#unknownRows > 0 && this.#unknownRows >= this.#open * fewestUnknown;
    if (ends.length === 0 && !isAllOpen) return [];
    const about = { field: 'status', column: this.#title };
    if (isAllOpen) {
      const conversations =
        this.#open === 1 ? 'the only conversation counts' : `all ${countWords(this.#open)} conversations count`;
      const reason = `names no ended status, and there is no end date, so ${conversations} as open: ${named([...this.#unknown])}. If some have ended, choose “Replace values” and import them as “closed”`;
      return [{ ...about, reason, count: this.#open }];
    }
    const reason = `has ${named(ends)} without an end date, which ${ends.length === 1 ? 'counts' : 'count'} as open. Choose “Replace values” and import ${ends.length === 1 ? 'it' : 'them'} as “closed”`;
    return [{ ...about, reason, count: ends.reduce((sum, [, count]) => sum + count, 0) }];
  }
}

const known: ReadonlySet<string> = new Set(endedStatuses);

function named(statuses: readonly (readonly [string, number])[]): string {
  const sorted = statuses.toSorted(([, one], [, other]) => other - one);
  const shown = sorted.slice(0, statusesNamed).map(([status, count]) => `“${status}” (${countWords(count)})`);
  return listWords(
    sorted.length > shown.length ? [...shown, `${countWords(sorted.length - shown.length)} more`] : shown,
  );
}
