// What exports of other systems, in other languages too, call the fields; the most certain name comes first.
import { type DurationUnit, unitOfWord } from '#core/base/durations.ts';

const dates =
  'created at, created date, created date utc, created utc, date created, order date, sale date, created, datetime, date, payment date, erstellt am, bestelldatum, eingang, datum, date de création, créé le, fecha de creación, creado, fecha, data de criação, criado em, data da venda, data venda, data, aangemaakt op, besteldatum, timestamp, paid at';
const amounts = 'brutto, betrag, summe, montant, importe, monto, valor, bedrag, amount, total, amt';
const statuses =
  'financial status, payment status, sr status, case status, ticket status, request status, state, zahlungsstatus, zustand, statut, estado, situação, betaalstatus';
const channels = 'source, source name, sales channel, via, via channel, ticket channel, kanal, canal, kanaal';

const wordsOfFields: Readonly<Record<string, string>> = {
  external_id: 'trans no, transaction no, transaction number',
  occurred_at: `${dates}, happened, refund date`,
  ...{ opened_at: dates, attempted_at: dates, day: `${dates}, ad date` },
  first_response_at:
    'initial response time, initial response at, initial response, first response date, first replied at, first reply at, first reply time, first reply, first responded at, erste antwort am, erste antwort, erstantwort, première réponse le, première réponse, primera respuesta, primeira resposta, eerste reactie op, eerste reactie',
  donated_at: `donation date, gift date, date given, donated, eingang der spende, spendendatum, date du don, fecha de donación, data da doação, transaction date, payment date, ${dates}`,
  dated_at: `disbursed, ${dates}`,
  paid_at: 'disbursed, disbursed at, payment date, date paid',
  resolved_at: 'solved at, gelöst am, résolu le, resuelto, resolvido em, data de resolução, opgelost op',
  closed_at:
    'close date, date closed, completed at, completion date, geschlossen am, abgeschlossen am, clôturé le, fermé le, cerrado, fechado em, gesloten op',
  due_at: 'fällig am, échéance, vencimiento, vencimento, vervaldatum',
  ...{
    amount: `donation amount, gift amount, donation, ${amounts}`,
    sales: `revenue, sale amount, conv value, conversion value, purchases conversion value, umsatz, ventes, ventas, vendas, omzet, ${amounts}`,
  },
  gross: 'brutto, betrag, montant, importe, monto, valor, valor total, bedrag, amount, sales',
  quantity:
    'lineitem quantity, order quantity, qty, pcs, number of items, menge, anzahl, stückzahl, quantité, cantidad, quantidade, aantal',
  discount: 'lineitem discount, rabatt, remise, descuento, desconto, korting',
  tax: 'taxes, sales tax, mwst, ust, steuer, tva, taxe, iva, impuesto, imposto, btw',
  refunded: 'erstattet, remboursé, reembolsado, terugbetaald',
  fee: 'fees, processing fee, processing fee amount, transaction fee, transaction fee amount, gebühr, gebuehr, frais, comisión, comissão, taxa, kosten',
  currency: 'cur, ccy, currency code, währung, waehrung, devise, moneda, divisa, moeda, valuta',
  country: 'country region, shipping country, delivery country, ship country, billing country, land, pays, país',
  ...{ channel: channels, status: statuses },
  order_ref:
    'order number, order no, bestellnummer, bestellung, auftragsnummer, numéro de commande, commande, número de pedido, pedido, ordernummer, bestelling, rechnungsnummer, invoice',
  customer_ref:
    'customer email, email, email address, buyer, buyer email, kundennummer, kunde, client, cliente, klantnummer, klant, acheteur, comprador, customer name',
  donor_ref:
    'donor email, spender id, spender, spenderin, donateur, donante, doador, donator, gever, giver, contributor, email',
  payee:
    'recipient, supplier name, supplier, vendor name, vendor, empfänger, empfaenger, destinataire, bénéficiaire, beneficiario, beneficiário, begunstigde, ontvanger',
  payer: 'sender, zahler, payeur, pagador, betaler',
  sku: 'lineitem sku, item sku, artikelnummer, artikelnr, product id',
  title:
    'lineitem name, product name, item name, item, artikel, produkt, produit, producto, artículo, produto, nome do produto, nome produto, product',
  campaign: 'kampagne, campagne, campaña, campanha',
  category: 'ticket type, kategorie, catégorie, categoría, categoria, categorie',
  priority: 'ticket priority, priorität, priorité, prioridad, prioridade, prioriteit',
  assignee:
    'assignee id, agent, technician, assigned to, bearbeiter, agente, responsable, responsável, atendente, behandelaar',
  ...{ impressions: 'impr', clicks: 'link clicks', conversions: 'purchases' },
  cost: 'spend, amount spent, ad spend',
  affiliate: 'affiliate id, influencer, influencer id, publisher, publisher id',
  team: 'group, gruppe, équipe, equipo, equipe',
  satisfaction: 'csat, csat score, rating, bewertung, satisfacción, satisfação',
};

/** What a duration after the row's date is called, by the field that is its end. */
const wordsOfDurations: Readonly<Record<string, string>> = {
  first_response_at:
    'first response time, first response, first reply time, first reply, initial response time, response time, reply time, time to first response, time to first reply, time to first agent reply, time to respond, erstantwortzeit, erste antwortzeit, erstreaktionszeit, erste reaktionszeit, antwortzeit, reaktionszeit, zeit bis zur ersten antwort, zeit bis zur ersten reaktion, temps de première réponse, délai de première réponse, temps de réponse, tiempo de primera respuesta, tiempo de la primera respuesta, tiempo hasta la primera respuesta, tiempo de respuesta, tempo de primeira resposta, tempo da primeira resposta, tempo até a primeira resposta, tempo de resposta, eerste reactietijd, eerste responstijd, reactietijd, tijd tot eerste reactie',
  resolved_at:
    'resolution time, full resolution time, resolve time, time to resolution, time to full resolution, time to resolve, lösungszeit, lösungsdauer, zeit bis zur lösung, temps de résolution, délai de résolution, tiempo de resolución, tiempo hasta la resolución, tempo de resolução, tempo até a resolução, oplostijd, oplossingstijd, tijd tot oplossing',
  closed_at:
    'time to close, zeit bis zum abschluss, temps de clôture, délai de clôture, tiempo de cierre, tiempo hasta el cierre, tempo de fechamento, tijd tot sluiting',
};

/** Columns of lines whose price and quantity make the amount before discounts. */
export const lineAmounts: readonly (readonly [price: string, quantity: string])[] = [
  ['lineitemprice', 'lineitemquantity'],
  ['unitprice', 'quantity'],
  ['priceperunit', 'quantity'],
  ['purchasepriceperunit', 'quantity'],
  ['einzelpreis', 'menge'],
  ['stuckpreis', 'anzahl'],
  ['prixunitaire', 'quantite'],
  ['preciounitario', 'cantidad'],
  ['precounitario', 'quantidade'],
  ['stuksprijs', 'aantal'],
];

/** What Shopify calls the order, in a file of its lines; elsewhere it is a person's name. */
export const orderOfLines = { order: 'name', line: 'lineitemname' } as const;

/** These repeat in other rows than the first ones. */
const isNamedAsPerson = (column: string): boolean =>
  /^(user|customer|client|buyer|donor|affiliate|influencer|publisher)[ _-]?id$/i.test(column);

export const isNamedAsId = (column: string): boolean =>
  !isNamedAsPerson(column) &&
  (/(?:^|[^a-z])(?:id|uuid|guid|key|ref|reference)$/i.test(column) || /[a-z]I[dD]$/.test(column));

const dateWords = ['at', 'on', 'time', 'date', 'datetime', 'timestamp'];

/** Words that a column can add to a field's name without meaning something else, by the field's type. */
export const addedWords: Readonly<Record<string, readonly string[]>> = {
  reference: ['id', 'number', 'no', 'nr', 'ref', 'reference', 'code', 'key'],
  instant: dateWords,
  day: dateWords,
  money: ['amount', 'amt', 'total', 'value'],
  whole: ['count', 'number', 'total', 'ordered'],
  text: ['name', 'code', 'title'],
};

/** Whether the name says that its times are in UTC. */
export const isUtc = (column: string): boolean => /(^|[^\p{L}])(utc|gmt)([^\p{L}]|$)/iu.test(column);

/** Small letters and digits without accents. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const inPlainWords = (words: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(words).map(([field, names]) => [field, names.split(', ').map(plainWord)]));

const plainWords = inPlainWords(wordsOfFields);
export const wordsOf = (field: string): readonly string[] => plainWords[field] ?? [];

const durationWords = inPlainWords(wordsOfDurations);
export const durationWordsOf = (field: string): readonly string[] => durationWords[field] ?? [];

const clockInName = /\bh{1,2}:mm(?::ss)?\b/i;
const shortClockInName = /\bm{1,2}:ss\b/i;

/** `First response (in hrs)` has `First`, `response`, `in` and `hrs`. */
const partsOfName = (column: string): string[] =>
  column
    .normalize('NFC')
    .replace(clockInName, '')
    .replace(shortClockInName, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');

const isIn = (part = ''): boolean => /^(in|en|em)$/i.test(part);

/** A unit is at the end, after `in` or in brackets: `Second reply time` and `Min response time` have none. */
function partsWithUnits(column: string): { readonly part: string; readonly isUnit: boolean }[] {
  const bracketed = partsOfName((column.match(/[([][^)\]]*/g) ?? []).join(' '));
  return partsOfName(column).map((part, index, all) => ({
    part,
    isUnit: unitOfWord(part) !== null && (index === all.length - 1 || isIn(all[index - 1]) || bracketed.includes(part)),
  }));
}

function unitInWords(column: string): DurationUnit | null {
  // The hours of `in minutes within business hours` are no unit.
  const found = partsWithUnits(column.replace(/\b(within|during)\b.*/i, '')).findLast(({ isUnit }) => isUnit);
  return found === undefined ? null : unitOfWord(found.part);
}

/** The last unit in a column's name: `First reply time in minutes`. */
export function unitInName(column: string): DurationUnit | null {
  if (clockInName.test(column)) return 'hours';
  if (shortClockInName.test(column)) return 'minutes';
  return unitInWords(column);
}

/** The plain name without units: `firstreplytime`. */
export const withoutUnits = (column: string): string =>
  plainWord(
    partsWithUnits(column)
      .filter(({ part, isUnit }) => !isUnit && !isIn(part))
      .map(({ part }) => part)
      .join(''),
  );

const lengthInName =
  /duration|elapsed|dauer|durée|duración|duração|duur|délai|(time|zeit|tiempo|tempo|tijd)[ _-]?(to|until|bis|hasta|até|tot)/i;

/** Whether a column's name says how long something took, even if its cells could be times of the day. */
const isSurelyLength = (column: string): boolean =>
  unitInWords(column) !== null || lengthInName.test(column.normalize('NFC'));

const clock = /^\s*\d+:\d\d/;

/** Whether a column's name tells how long something took; `example` is one of its cells. */
export const saysLength = (column: string, example: string): boolean =>
  isSurelyLength(column) ||
  (!clock.test(example) &&
    (unitInName(column) !== null ||
      Object.values(durationWords).some((words) => words.includes(withoutUnits(column)))));
