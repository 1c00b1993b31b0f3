// What exports of other systems, in other languages too, call the fields; the most certain name comes first.

const dates =
  'created at, created date, date created, order date, sale date, created, datetime, date, payment date, erstellt am, bestelldatum, eingang, datum, date de création, créé le, fecha de creación, creado, fecha, data de criação, criado em, data, aangemaakt op, besteldatum, timestamp, paid at';
const amounts = 'brutto, betrag, summe, montant, importe, monto, valor, bedrag, amount, total';
const statuses =
  'financial status, payment status, sr status, case status, ticket status, request status, state, zahlungsstatus, zustand, statut, estado, situação, betaalstatus';
const channels = 'source, source name, sales channel, kanal, canal, kanaal';

const wordsOfFields: Readonly<Record<string, string>> = {
  external_id: 'trans no, transaction no, transaction number',
  occurred_at: `${dates}, happened`,
  ...{ opened_at: dates, attempted_at: dates, day: dates },
  donated_at: `donation date, gift date, date given, donated, eingang der spende, spendendatum, date du don, fecha de donación, data da doação, ${dates}`,
  dated_at: `disbursed, ${dates}`,
  paid_at: 'payment date, date paid',
  resolved_at: 'solved at, gelöst am, résolu le, resuelto, resolvido em, data de resolução, opgelost op',
  closed_at:
    'close date, date closed, completed at, completion date, geschlossen am, abgeschlossen am, clôturé le, fermé le, cerrado, fechado em, gesloten op',
  due_at: 'fällig am, échéance, vencimiento, vencimento, vervaldatum',
  ...{
    amount: `donation amount, gift amount, ${amounts}`,
    sales: `revenue, umsatz, ventes, ventas, vendas, omzet, ${amounts}`,
  },
  gross: 'brutto, betrag, montant, importe, monto, valor, bedrag, amount, sales',
  quantity:
    'lineitem quantity, order quantity, qty, number of items, menge, anzahl, stückzahl, quantité, cantidad, quantidade, aantal',
  discount: 'lineitem discount, rabatt, remise, descuento, desconto, korting',
  tax: 'taxes, sales tax, mwst, ust, steuer, tva, taxe, iva, impuesto, imposto, btw',
  refunded: 'erstattet, remboursé, reembolsado, terugbetaald',
  fee: 'fees, processing fee, processing fee amount, transaction fee, transaction fee amount, gebühr, gebuehr, frais, comisión, comissão, taxa, kosten',
  currency: 'cur, ccy, currency code, währung, waehrung, devise, moneda, divisa, moeda, valuta',
  country: 'shipping country, delivery country, ship country, billing country, land, pays, país',
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
    'lineitem name, product name, item name, item, artikel, produkt, produit, producto, artículo, produto, product',
  campaign: 'kampagne, campagne, campaña, campanha',
  category: 'kategorie, catégorie, categoría, categoria, categorie',
  priority: 'priorität, priorité, prioridad, prioridade, prioriteit',
  assignee: 'agent, assigned to, bearbeiter, agente, responsable, responsável, atendente, behandelaar',
  affiliate: 'affiliate id, influencer, influencer id, publisher, publisher id',
  team: 'group, gruppe, équipe, equipo, equipe',
  satisfaction: 'csat, csat score, rating, bewertung, satisfacción, satisfação',
};

/** Of a line with a price and a quantity, which make its amount. */
export const lineAmounts: readonly (readonly [price: string, quantity: string])[] = [
  ['lineitemprice', 'lineitemquantity'],
  ['unitprice', 'quantity'],
  ['priceperunit', 'quantity'],
  ['purchasepriceperunit', 'quantity'],
];

/** What Shopify calls the order, in a file of its lines; elsewhere it is a person's name. */
export const orderOfLines = { order: 'name', line: 'lineitemname' } as const;

/** Small letters and digits without accents. */
export const plainWord = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const plainWords = Object.fromEntries(
  Object.entries(wordsOfFields).map(([field, words]) => [field, words.split(', ').map(plainWord)]),
);

export const wordsOf = (field: string): readonly string[] => plainWords[field] ?? [];
